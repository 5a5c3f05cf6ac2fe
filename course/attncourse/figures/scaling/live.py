"""Lesson 3's live figure: scores divided by a power of d_k, for all d_k at once."""

import functools
from types import SimpleNamespace

import numpy as np

from attnlib import dot_product_scores

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import numbers
from . import still

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
N_QUERIES, N_KEYS = 512, 8


@functools.cache
def _draw():
    rng = np.random.default_rng(0)
    query = rng.standard_normal((N_QUERIES, 1, SIZES[-1]))
    return query, rng.standard_normal((N_QUERIES, N_KEYS, SIZES[-1]))


@functools.cache
def random_scores(d_k):
    """Return the scores of 512 queries, each with eight keys of its own: (512, 8).

    All numbers of the queries and keys are standard normal. A query of more numbers
    begins with those of one that has fewer.
    """
    query, key = _draw()
    return dot_product_scores(query[..., :d_k], key[..., :d_k])[:, 0]


@functools.cache
def _spreads():
    return numbers([random_scores(size).std() for size in SIZES])


def _compute(p):
    """Return the standard deviation of 4,096 scores ÷ d_kᵖ, for each d_k: (10,)."""
    spread = np.array(_spreads()) / np.array(SIZES) ** p
    case = ("under", "level", "over")[1 + np.sign(round(20 * p - 10))]
    return SimpleNamespace(spread=spread, case=case)


panel = Figure(
    __file__,
    controls={"p": Slider("Exponent p", 0.0, 0.0, 1.0, 0.05)},
    solved={"p": 0.5},
    data=lambda: {
        "sizes": SIZES,
        "names": [f"d_k = {size}" for size in SIZES],
        "spreads": _spreads(),
        "says": {
            "under": "Not enough: the more products a score adds up, the wider "
            "scores still spread.",
            "level": "Level: the spread is 1, however many products.",
            "over": "Too much: the more products a score adds up, the smaller it gets.",
        },
    },
    compute=_compute,
    still=lambda _, now: still.divided(SIZES, now.spread),
    title="How widely scores spread for each d_k",
    summary=(
        "Scores ÷ d_k to the power {p:.2f}: they spread by {spread.0:.2f} at d_k = 1 "
        "and by {spread.9:.2f} at 512.",
        "{says.$case}",
    ),
    tables=Table("Spread of the scores", "names", Line("spread", "spread")),
    said={
        "under": "Not enough: the spread is {spread.9:.2f} at d_k = 512",
        "level": "Level: the spread is 1 for every d_k",
        "over": "Too much: the spread is {spread.9:.2f} at d_k = 512",
    },
)
