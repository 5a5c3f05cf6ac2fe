"""The figures of the cards on states in place of all keys."""

import numpy as np

import attnconfig
from attncourse.toys import recall as stored
from attnlib import softmax

from ..configuration.models import JAMBA, QWEN3_NEXT
from ..kit.controls import Check, Choice, Slider
from ..kit.panel import choice
from ..kit.tabled import Bars, Curves, Grid, Tabled


def _recalled(n_pairs, twice):
    """Return by rule the mean share that comes back, and half its interval."""
    found = stored.load()["twice" if twice else "once"][str(n_pairs)]
    means, halves = zip(*found.values(), strict=True)
    times = "twice" if twice else "once"
    return {"names": list(found), "means": means, "halves": halves, "times": times}


recall = Tabled(
    "recall",
    controls={
        "n_pairs": Choice("Pairs written", 16, stored.PAIRS, look=choice),
        "twice": Check("Write each key a second time, with a new value", default=False),
    },
    compute=_recalled,
    drawn=Bars("Share that comes back", "mean", "means", half="halves", limit=1),
    title="Share of written values that come back",
    summary="{n_pairs} pairs, each key written {times}, the newest wanted.",
    said=tuple(f"{{names.{j}}} {{means.{j}:.2f}}" for j in range(4)),
)


def came_back(key, value, gate, beta, draws):
    """Write pairs by the delta rule, and return which value each key finds.

    Shapes: key (draws, n, d), value (draws, n, d), gate (d,) or a number.
    """
    d = key.shape[-1]
    state = np.zeros((draws, d, d))
    gate = np.broadcast_to(gate, d)[:, None]
    for k, v in zip(np.moveaxis(key, 1, 0), np.moveaxis(value, 1, 0), strict=True):
        k = k / np.linalg.norm(k, axis=-1, keepdims=True)
        state = gate * state
        off = v - np.einsum("bi,bij->bj", k, state)
        state = state + beta * k[:, :, None] * off[:, None, :]
    unit = value / np.linalg.norm(value, axis=-1, keepdims=True)
    return (key @ state @ np.swapaxes(unit, -1, -2)).argmax(axis=-1)


def _interval(shares):
    half = 1.984 * shares.std(axis=0, ddof=1) / len(shares) ** 0.5
    return shares.mean(axis=0).round(3), half.round(3)


def _written(beta, gate, draws=100, d=32):
    """Return the shares that come back of 64 pairs, and of 16 written twice."""
    rng, found = np.random.default_rng(14), []
    for n, times in ((64, 1), (16, 2)):
        key = np.tile(rng.standard_normal((draws, n, d)), (1, times, 1))
        said = came_back(
            key, rng.standard_normal((draws, n * times, d)), gate, beta, draws
        )
        newest = np.arange(n * times) >= n * (times - 1)
        found.append((said == np.arange(n * times))[:, newest].mean(axis=1))
    means, half = _interval(np.array(found).T)
    return {
        "names": ["64 written once", "16 written twice"],
        "means": means,
        "half": half,
    }


delta = Tabled(
    "delta",
    controls={
        "beta": Choice("β, the share that is written", 1.0, (1.0, 0.5, 0.25, 0.1)),
        "gate": Choice("α, what is left of the state", 1.0, (1.0, 0.99, 0.95)),
    },
    compute=_written,
    drawn=Bars("Newest values that come back", "share", "means", half="half", limit=1),
    title="The delta rule: how much is written, and how much fades",
    summary="Of 64 pairs {means.0:.2f} come back; of 16 keys written twice, the "
    "newest value for {means.1:.2f} (100 draws).",
    said=("once {means.0:.2f}", "twice {means.1:.2f}"),
)


def _gated(first, last, draws=100, d=32):
    """Return the shares of 8 lasting and 8 passing pairs that come back."""
    rng = np.random.default_rng(14)
    key, value = rng.standard_normal((2, draws, 72, d))
    key[:, :8, 16:] *= 0.2
    key[:, 8:, :16] *= 0.2
    said = came_back(key, value, np.repeat([first, last], 16), 0.1, draws)
    right = said == np.arange(72)
    shares = np.array([right[:, :8].mean(axis=1), right[:, -8:].mean(axis=1)]).T
    means, half = _interval(shares)
    return {"names": ["8 that last", "newest 8 passing"], "means": means, "half": half}


GATES = (1.0, 0.95, 0.9)
kda = Tabled(
    "kda",
    controls={
        "first": Choice("Gate of the lasting columns", 0.9, GATES),
        "last": Choice("Gate of the passing ones", 0.9, GATES),
    },
    compute=_gated,
    drawn=Bars("Values that come back", "share", "means", half="half", limit=1),
    title="A gate for each column of the keys",
    summary="Lasting pairs {means.0:.2f}, the newest passing ones {means.1:.2f} "
    "(100 draws, β = 0.1).",
    said=("lasting {means.0:.2f}", "newest {means.1:.2f}"),
)

STEPS = np.arange(1, 8)


def _faded(token, factor):
    """Return the mask of Mamba-2, with one token whose factor differs."""
    a = np.full(7, 0.9)
    a[token - 1] = factor
    mask = np.tril([[np.prod(a[j + 1 : i + 1]) for j in range(7)] for i in range(7)])
    return {
        "rows": STEPS,
        "columns": STEPS,
        "mask": mask.round(2),
        "first": mask[-1, 0],
        "sum": mask[-1].sum(),
    }


mamba = Tabled(
    "mamba",
    controls={
        "token": Slider("Token", 4, 2, 7, 1),
        "factor": Choice("Its factor", 0.1, (1.0, 0.5, 0.1, 0.0)),
    },
    compute=_faded,
    drawn=Grid("What each token (row) still has of each", "mask", form=".2f"),
    title="Mamba-2: a mask of products of factors",
    summary="All other factors are 0.9. At the end {first:.2f} of the first token is "
    "left.",
    said=("token {token}: {first:.2f} of the first token is left",),
)

TEXTS = 2 ** np.arange(10, 21)
MODELS = {
    name: attnconfig.read(one) for name, one in (("next", QWEN3_NEXT), ("jamba", JAMBA))
}


def _left(model, n):
    """Return the share of the cache that it would have, did all its layers attend."""
    full = next(one for one in model.layers if one.kind == "full_attention")
    row = sum(kept.row for kept in full.kept)
    return model.cache_bytes(n) / (2 * n * row * len(model.layers))


def _hybrid(tokens):
    """Return what two hybrids keep of a full cache."""
    found = {
        name: [_left(model, int(n)) for n in TEXTS] for name, model in MODELS.items()
    }
    return {"tokens_read": TEXTS, **found, "at": int(np.log2(tokens)) - 10}


hybrids = Tabled(
    "hybrids",
    controls={
        "tokens": Choice(
            "Tokens", 131_072, {f"{n:,}": int(n) for n in TEXTS}, look=choice
        )
    },
    compute=_hybrid,
    drawn=Curves(
        "What is left of a full cache",
        "tokens_read",
        "tokens, by powers",
        {"Qwen3-Next": "next", "Jamba": "jamba"},
        moves="tokens",
        log="x",
        form=".3f",
    ),
    title="Two hybrids, and what is left of a full cache",
    summary="At {tokens:,} tokens {next.$at:.3f} of a full cache is left in "
    "Qwen3-Next, and {jamba.$at:.3f} in Jamba.",
    said=("Qwen3-Next {next.$at:.3f}", "Jamba {jamba.$at:.3f}"),
)

ALIKE = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


def _on_the_right(alike, share, n=1000, draws=60):
    """Return the share of all weight on the right key, with two maps and with one."""
    rng = np.random.default_rng(14)
    first, own = rng.standard_normal((2, draws, n))
    noise, one = first.copy(), first
    one[:, 0] = np.log(n - 1)  # the right key leads in the first map alone
    one = softmax(one)
    found = []
    for much in ALIKE:
        two = one - share * softmax(much * noise + (1 - much**2) ** 0.5 * own)
        found.append((two[:, 0] / abs(two).sum(axis=1)).mean())
    return {
        "alike_by": ALIKE,
        "two": np.round(found, 3),
        "one": np.full(len(ALIKE), one[:, 0].mean().round(3)),
        "at": ALIKE.index(alike),
    }


differential = Tabled(
    "differential",
    controls={
        "alike": Choice("How alike the noise is", 0.9, ALIKE, look=choice),
        "share": Choice("λ", 0.6, (0.3, 0.6, 0.9)),
    },
    compute=_on_the_right,
    drawn=Curves(
        "Share of all weight on the right key",
        "alike_by",
        "correlation of the noise",
        {"two maps": "two", "one map": "one"},
        moves="alike",
        form_x=".1f",
    ),
    title="Two maps, one subtracted: what the right key gets",
    summary="With two maps the right of 1,000 keys gets {two.$at:.2f} of all weight, "
    "with one {one.0:.2f}.",
    said=("two maps {two.$at:.2f}", "one map {one.0:.2f}"),
)
