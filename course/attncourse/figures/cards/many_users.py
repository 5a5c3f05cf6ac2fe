"""The figures of the cards on what many users share."""

import numpy as np

import attnconfig
from attnlib import scaled_dot_product_attention

from ..configuration.models import LLAMA_3_8B
from ..kit.controls import Choice, Slider
from ..kit.panel import choice
from ..kit.tabled import Bars, Curves, Grid, Tabled

LENGTHS = tuple(2**p for p in range(4, 18))
LLAMA = attnconfig.read(LLAMA_3_8B)


def _read(tokens):
    """Return multiplications for each byte read, of a question and of one token."""
    found = {
        name: [one.per_byte for n in LENGTHS if (one := count(LLAMA, n))]
        for name, count in (("read", attnconfig.prefill), ("write", attnconfig.decode))
    }
    return {"lengths": LENGTHS, **found, "at": LENGTHS.index(tokens)}


prefill = Tabled(
    "prefill",
    controls={
        "tokens": Choice("Tokens", 8192, {f"{n:,}": n for n in LENGTHS}, look=choice)
    },
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
        "words": words.round(3),
        "all": DRAFTS + 1,
        "at": drafts - 1,
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
