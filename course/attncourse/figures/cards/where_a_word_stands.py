"""The figures of the cards on positions."""

import numpy as np

from attnlib import alibi_bias, attention_weights, rotary_embedding

from ..kit.controls import Choice, Slider
from ..kit.panel import choice
from ..kit.tabled import Curves, Grid, tabled
from .how_far_it_looks import strip as strip  # on both pages

PAIRS = np.arange(0, 64, 3)
BASES = {f"{n:,}": n for n in (10_000, 100_000, 500_000, 1_000_000, 8_000_000)}
READ = 8192


@tabled(
    controls={"base": Choice("Base", 10_000, BASES, look=choice)},
    drawn=Curves(
        "Tokens until a pair has gone around, by powers of ten",
        "pairs",
        "pair of columns",
        {"tokens": "full"},
        form=",",
        log="y",
        limit=READ,
    ),
    title="How fast rotary pairs go around",
    summary="{slow} of 64 pairs never go around within 8,192 tokens (dotted); the "
    "slowest takes {slowest:,}.",
    said=("{slow} of 64 pairs are slow", "the slowest takes {slowest:,}"),
)
def rope(base):
    """Return how many tokens each pair takes to go all the way around."""
    full = 2 * np.pi * base ** (np.arange(64) / 64)
    return {
        "pairs": PAIRS,
        "full": np.rint(full[PAIRS]).astype(int),
        "slow": int((full > READ).sum()),
        "slowest": round(full[-1]),
    }


DISTANCES = (0, 1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000)


@tabled(
    controls={"columns": Slider("Columns that turn, of 64", 16, 0, 64, 8)},
    drawn=Curves(
        "Score, as a share of that at distance 0",
        "distances",
        "distance, doubling",
        {"turned": "now", "all turn": "full"},
        even=True,
    ),
    title="Partial rotation: what is left of a score far back",
    summary="{columns} of 64 columns turn: an equal word 1,000 back keeps "
    "{now.-1:.2f} of its score on average (100 random words).",
    said=("{now.-1:.2f} left at 1,000",),
)
def partial(columns):
    """Return what is left of the score with an equal word, at each distance."""
    x = np.random.default_rng(14).standard_normal((100, 64))

    def share(turned, distance):
        if not turned:
            return 1.0
        how = {"positions": np.full(100, distance), "rotary_dim": turned}
        return ((rotary_embedding(x, **how) * x).sum(axis=1) / (x * x).sum(1)).mean()

    now, full = ([share(n, far) for far in DISTANCES] for n in (columns, 64))
    return {
        "distances": DISTANCES,
        "now": np.round(now, 3),
        "full": np.round(full, 3),
    }


AXES = ("time", "row", "column")
SECTIONS = (6, 5, 5)
READINGS = ("in blocks", "in turn")


def _axes(how):
    """Return which axis each of 16 pairs turns by."""
    if how == "in blocks":
        return np.repeat([0, 1, 2], SECTIONS)
    found = np.zeros(sum(SECTIONS), int)
    for axis in (1, 2):
        found[axis : 3 * SECTIONS[axis] : 3] = axis
    return found


@tabled(
    controls={
        "meant": Choice("The file means", "in turn", READINGS),
        "read": Choice("The program reads", "in blocks", READINGS),
    },
    drawn=Grid(
        "Which axis each of 16 pairs turns by", "cells", lit="wrong", header="pairs"
    ),
    title="M-RoPE: which pairs turn by time, row and column",
    summary="Of 16 pairs in sections of 6, 5 and 5, {n_wrong} turn by the wrong axis.",
    said=("{n_wrong} of 16 pairs wrong",),
)
def mrope(meant, read):
    """Return the axes as they are read, and those that are wrong."""
    by, wanted = _axes(read), _axes(meant)
    cells = by == np.arange(3)[:, None]
    return {
        "rows": AXES,
        "columns": np.arange(16),
        "cells": cells,
        "wrong": cells & (by != wanted),
        "n_wrong": int((by != wanted).sum()),
    }


BACK = 24


@tabled(
    controls={"head": Slider("Head", 1, 1, 8, 1)},
    drawn=Curves(
        "Weight of a key, among 25 equal ones",
        "distances",
        "distance of the key",
        {"this head": "weights", "head 1": "steepest", "head 8": "flattest"},
    ),
    title="ALiBi: slopes of eight heads, and the weights of equal keys",
    summary="Head {head} lowers a score by {slope} for each position: the nearest "
    "{near} of 25 keys have nine tenths of its weight.",
    said=("{near} nearest keys have nine tenths", "slope {slope}"),
)
def alibi(head):
    """Return the weights of equal words by distance, in each of eight heads."""
    bias, same = alibi_bias(8, BACK + 1), np.ones((8, BACK + 1, 4))
    weights = attention_weights(same, same, mask=bias, is_causal=True)[:, -1, ::-1]
    return {
        "distances": np.arange(BACK + 1),
        "steepest": weights[0],
        "flattest": weights[-1],
        "weights": weights[head - 1],
        "at": 0,
        "slope": -bias[head - 1, -1, -2],
        "near": int((np.cumsum(weights[head - 1]) < 0.9).sum()) + 1,
    }
