"""The figures of the cards on what many users share."""

from functools import cache

import numpy as np

import attnconfig
from attncourse.toys.writer import ahead
from attnlib import scaled_dot_product_attention

from ..configuration.models import LLAMA_3_8B
from ..kit.controls import Choice, Slider
from ..kit.tabled import Bars, Curves, Grid, Tabled
from . import interval, numbers

LENGTHS = tuple(2**p for p in range(4, 18))
LLAMA = attnconfig.read(LLAMA_3_8B)


def _read(tokens):
    """Return multiplications for each byte read, of a question and of one token."""
    found = {
        name: [one.per_byte for n in LENGTHS if (one := count(LLAMA, n))]
        for name, count in (("read", attnconfig.prefill), ("write", attnconfig.decode))
    }
    return {"lengths": LENGTHS, **found}


prefill = Tabled(
    "prefill",
    controls={"tokens": numbers("Tokens", 8192, LENGTHS)},
    compute=_read,
    drawn=Curves(
        "Multiplications for each byte read, by powers",
        "lengths",
        "tokens, by powers",
        {"prefill": "read", "decode": "write"},
        moves="tokens",
        form=".1f",
        log="xy",
        limit=150,
    ),
    title="What reading a question and writing a token do with each byte",
    summary="{tokens:,} tokens: prefill does {read.$at:.0f} multiplications a byte, "
    "decode {write.$at:.2f}. Below 150 (dotted) our chip waits for memory.",
    said=("prefill {read.$at:.0f}", "decode {write.$at:.2f}"),
)

N = 12


def _kept(changed):
    """Return which rows of two layers' caches stay when one token changes."""
    rng = np.random.default_rng(14)
    prompt = rng.standard_normal((N, 16))
    other = prompt.copy()
    other[changed - 1] = rng.standard_normal(16)

    def above(x):
        return x + scaled_dot_product_attention(x, x, x, is_causal=True)

    rows = (prompt, other), (above(prompt), above(other))
    stays = [np.isclose(*pair).all(axis=1) for pair in rows]
    return {
        "rows": ["layer 1", "layer 2"],
        "columns": np.arange(1, N + 1),
        "stays": stays,
        "n_stay": int(stays[1].sum()),
    }


prefix = Tabled(
    "prefix",
    controls={"changed": Slider("Token that changes", 3, 1, N, 1)},
    compute=_kept,
    drawn=Grid("Rows of the cache that may stay", "stays", header="keeps"),
    title="One token changes: which rows of the cache stay",
    summary="Token {changed} changes: above the first layer {n_stay} of 12 rows stay.",
    said=("{n_stay} of 12 rows stay",),
)

DRAFTS = np.arange(1, 17)


def _words(drafts, kept):
    """Return words a step, if each draft is kept by the same chance."""
    words = (1 - kept ** (DRAFTS + 1)) / (1 - kept)
    return {
        "drafts_made": DRAFTS,
        "words": words,
        "all": DRAFTS + 1,
    }


drafts = Tabled(
    "drafts",
    controls={
        "drafts": Slider("Drafts a step", 4, 1, 16, 1),
        "kept": Choice("Chance that one is kept", 0.9, (0.5, 0.7, 0.8, 0.9)),
    },
    compute=_words,
    drawn=Curves(
        "Words for each step of the large model",
        "drafts_made",
        "drafts a step",
        {"words": "words", "all kept": "all"},
        moves="drafts",
        form=".1f",
    ),
    title="Drafts, and how many words a step gives",
    summary="{drafts} drafts, each kept by a chance of {kept}: {words.$at:.2f} words "
    "a step.",
    said=("{words.$at:.2f} words a step",),
)


@cache
def mtp_kept(further):
    """Return {what a layer sees: (share of its guesses that are kept, half)}."""
    learn, new = ahead.texts()
    row, after, wanted = ahead.rows_and_words(learn, further)
    *asked, _ = ahead.rows_and_words(new, further)
    seen = {
        "the next word": ([after], asked[1:]),
        "the row": ([row], asked[:1]),
        "both": ([row, after], asked),
    }
    return {
        name: interval(ahead.kept(ahead.fitted(read, wanted, ask), further))
        for name, (read, ask) in seen.items()
    }


def _ahead(further):
    """Return shares of guesses kept, beside what the model's own best would be."""
    found = mtp_kept(further)
    means, half = np.transpose([*found.values()])
    best = ahead.chances()[:, further:-1].max(axis=-1).mean().round(3)
    told = {"names": list(found), "means": means, "half": half}
    return told | {"most": [best] * len(found), "best": best}


mtp = Tabled(
    "mtp",
    controls={"further": Slider("Words further", 1, 1, 4, 1)},
    compute=_ahead,
    drawn=Bars(
        "Guesses kept (gray: at most)",
        "kept",
        "means",
        ".3f",
        half="half",
        before="most",
        before_header="own best",
    ),
    title="What a layer that guesses one word further must see",
    summary="{further} further: of guesses from the row and the next word "
    "{means.2:.2f} are kept, from the row alone {means.1:.2f}, of {best:.2f} at most.",
    said=("from both {means.2:.2f}", "from the row {means.1:.2f}"),
)

CUTS = ("contiguous", "striped", "zigzag")
TOKENS = 4096


def _dealt(cut):
    """Return how much of the work each of eight devices gets, beside the mean."""
    scores = np.arange(1, TOKENS + 1)  # of each query: its own key and all before
    if cut == "striped":
        work = scores.reshape(-1, 8).sum(axis=0)
    elif cut == "contiguous":
        work = scores.reshape(8, -1).sum(axis=1)
    else:
        parts = scores.reshape(16, -1).sum(axis=1)
        work = parts[:8] + parts[::-1][:8]
    shares = work / work.mean()
    names = [f"device {i + 1}" for i in range(8)]
    return {"names": names, "shares": shares.round(4), "most": shares.max()}


devices = Tabled(
    "devices",
    controls={"cut": Choice("How the text is cut", "contiguous", CUTS)},
    compute=_dealt,
    drawn=Bars("Work, as a share of the mean", "work", "shares", ".3f", limit=1),
    title="One text on several devices: who works longest",
    summary="Cut {cut}: the slowest of 8 does {most:.3f} of the mean, and all "
    "wait for it.",
    said=("slowest {most:.3f} of the mean",),
)
