"""The figures of the cards on states in place of all keys."""

import numpy as np

from attncourse.toys import recall as stored

from ..kit.controls import Check, Choice, Slider
from ..kit.panel import choice
from ..kit.tabled import Bars, Grid, tabled
from . import interval


@tabled(
    controls={
        "n_pairs": Choice("Pairs written", 16, stored.PAIRS, look=choice),
        "twice": Check("Write each key a second time, with a new value", default=False),
    },
    drawn=Bars("Share that comes back", "mean", "means", half="halves", limit=1),
    title="Share of written values that come back",
    summary="{n_pairs} pairs, each key written {times}, the newest wanted.",
    said=tuple(f"{{names.{j}}} {{means.{j}:.2f}}" for j in range(4)),
)
def recall(n_pairs, twice):
    """Return by rule the mean share that comes back, and half its interval."""
    found = stored.load()["twice" if twice else "once"][str(n_pairs)]
    means, halves = zip(*found.values(), strict=True)
    times = "twice" if twice else "once"
    return {"names": list(found), "means": means, "halves": halves, "times": times}


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


@tabled(
    controls={
        "beta": Choice("β, the share that is written", 1.0, (1.0, 0.5, 0.25, 0.1)),
        "gate": Choice("α, what is left of the state", 1.0, (1.0, 0.99, 0.95)),
    },
    drawn=Bars("Newest values that come back", "share", "means", half="half", limit=1),
    title="The delta rule: how much is written, and how much fades",
    summary="Of 64 pairs {means.0:.2f} come back; of 16 keys written twice, the "
    "newest value for {means.1:.2f} (100 draws).",
    said=("once {means.0:.2f}", "twice {means.1:.2f}"),
)
def delta(beta, gate, draws=100, d=32):
    """Return the shares that come back of 64 pairs, and of 16 written twice."""
    rng, found = np.random.default_rng(14), []
    for n, times in ((64, 1), (16, 2)):
        key = np.tile(rng.standard_normal((draws, n, d)), (1, times, 1))
        said = came_back(
            key, rng.standard_normal((draws, n * times, d)), gate, beta, draws
        )
        newest = np.arange(n * times) >= n * (times - 1)
        found.append((said == np.arange(n * times))[:, newest].mean(axis=1))
    means, half = interval(np.array(found).T)
    return {
        "names": ["64 written once", "16 written twice"],
        "means": means,
        "half": half,
    }


GATES = (1.0, 0.95, 0.9)


@tabled(
    controls={
        "first": Choice("Gate of the lasting columns", 0.9, GATES),
        "last": Choice("Gate of the passing ones", 0.9, GATES),
    },
    drawn=Bars("Values that come back", "share", "means", half="half", limit=1),
    title="A gate for each column of the keys",
    summary="Lasting pairs {means.0:.2f}, the newest passing ones {means.1:.2f} "
    "(100 draws, β = 0.1).",
    said=("lasting {means.0:.2f}", "newest {means.1:.2f}"),
)
def kda(first, last, draws=100, d=32):
    """Return the shares of 8 lasting and 8 passing pairs that come back."""
    rng = np.random.default_rng(14)
    key, value = rng.standard_normal((2, draws, 72, d))
    key[:, :8, 16:] *= 0.2
    key[:, 8:, :16] *= 0.2
    said = came_back(key, value, np.repeat([first, last], 16), 0.1, draws)
    right = said == np.arange(72)
    shares = np.array([right[:, :8].mean(axis=1), right[:, -8:].mean(axis=1)]).T
    means, half = interval(shares)
    return {"names": ["8 that last", "newest 8 passing"], "means": means, "half": half}


STEPS = np.arange(1, 8)


@tabled(
    controls={
        "token": Slider("Token", 4, 2, 7, 1),
        "factor": Choice("Its factor", 0.1, (1.0, 0.5, 0.1, 0.0)),
    },
    drawn=Grid("What each token (row) still has of each", "mask", form=".2f"),
    title="Mamba-2: a mask of products of factors",
    summary="All other factors are 0.9. At the end {first:.2f} of the first token is "
    "left.",
    said=("token {token}: {first:.2f} of the first token is left",),
)
def mamba(token, factor):
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


@tabled(
    controls={
        "read": Slider("What the gate reads in the token, x · W", -2, -6, 6, 1),
        "n_keys": Choice("Keys", 16, (4, 16, 64, 256)),
    },
    drawn=Bars(
        "Size of an output (gray: no gate)",
        "gated",
        "gated",
        ".3f",
        before="plain",
        before_header="without",
    ),
    title="How silent a head can fall, with a gate and without",
    summary="Spread evenly over {n_keys} keys a head brings {plain.1:.3f}. A gate of "
    "{gate:.3f} leaves {gated.1:.3f}, or {gated.0:.3f} of one key's.",
    said=("gate {gate:.3f}", "{gated.1:.3f} in place of {plain.1:.3f}"),
)
def gates(read, n_keys):
    """Return the size of what a head brings of random values, gated (before: not)."""
    gate = 1 / (1 + np.exp(-read))
    brings = np.array([1, n_keys**-0.5])  # a root mean square; values have 1
    return {
        "names": ["one key has all", "spread evenly"],
        "plain": brings.round(3),
        "gated": (gate * brings).round(4),
        "gate": gate,
    }
