"""Lesson 3's live figures: scores divided by a power of d_k, for all d_k at once.

Before there are weights, ``spreads`` shows the spread of the scores alone.
"""

import functools
from types import SimpleNamespace

import numpy as np

from attnlib import dot_product_scores, softmax

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Matrix, Table
from ..kit.letters import letters
from ..kit.panel import choice, numbers
from . import still

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
N_QUERIES, N_KEYS, N_SHOWN, N_ROWS = 512, 8, 24, 8
FINE = 45, 30  # a score, and one of those of which only dots are drawn, to 1 in so many


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
def _drawn():
    """Return what the page is given for each d_k: spreads, and some queries' scores."""
    scores = {size: random_scores(size) for size in SIZES}
    return {
        "sizes": SIZES,
        "names": [f"d_k = {size}" for size in SIZES],
        "queries": [f"query {i + 1}" for i in range(N_ROWS)],
        "keys": [f"key {j + 1}" for j in range(N_KEYS)],
        "spreads": numbers([s.std() for s in scores.values()]),
        "fine": FINE,
        "letters": [letters(one) for one in _codes()],
    }


@functools.cache
def _codes():
    """Return how far scores lie below each query's largest: (10, 8, 8), (10, 16, 7).

    Softmax sees no more, and the page has them as these whole numbers. Of the queries
    behind the first eight only the largest weight is drawn: their scores come in order,
    as steps from each to the next, which takes fewer bytes.
    """
    scores = np.stack([random_scores(size)[:N_SHOWN] for size in SIZES])
    below = np.log1p(scores.max(axis=-1, keepdims=True) - scores)
    first, others = below[:, :N_ROWS], np.sort(below[:, N_ROWS:])
    in_order = np.rint(FINE[1] * others).astype(int)
    return np.rint(FINE[0] * first).astype(int), np.diff(in_order)


@functools.cache
def _sent():
    """Return the scores as the page has them, the largest of each query 0."""
    first, steps = _codes()
    others = np.pad(steps.cumsum(axis=-1), ((0, 0), (0, 0), (1, 0)))
    scores = -np.expm1(first / FINE[0]), -np.expm1(others / FINE[1])
    return np.concatenate(scores, axis=1)


def _spreads(p):
    """Return the standard deviation of 4,096 scores ÷ d_kᵖ, for each d_k: (10,)."""
    spread = np.array(_drawn()["spreads"]) / np.array(SIZES) ** p
    case = ("under", "level", "over")[1 + np.sign(round(20 * p - 10))]
    return SimpleNamespace(spread=spread, case=case)


def _weigh(p, d_k):
    """Return the same, the median of each d_k's largest weights, and one d_k's rows."""
    weights = softmax(_sent() / np.power(SIZES, p)[:, None, None])
    medians = np.median(np.max(weights, axis=-1), axis=-1)
    chosen = SIZES.index(d_k)
    return SimpleNamespace(
        **vars(_spreads(p)),
        medians=medians,
        median=medians[chosen],
        weights=weights[chosen][:N_ROWS],
    )


SUMMARY = (
    "Scores ÷ d_kᵖ, p = {p:.2f}: they spread by {spread.0:.2f} at d_k = 1 and by "
    "{spread.9:.2f} at 512.",
    "{says.$case}",
)
LARGEST = "median of the largest weights at d_k = {d_k}: {median:.2f}"
SAID = {
    "under": "Not enough: the spread is {spread.9:.2f} at d_k = 512",
    "level": "Level: the spread is 1 for every d_k",
    "over": "Too much: the spread is {spread.9:.2f} at d_k = 512",
}
SPREAD = Line("spread", "spread")
EXPONENT = Slider("Exponent p", 0.0, 0.0, 1.0, 0.05)
spreads = Figure(
    __file__,
    controls={"p": EXPONENT},
    data=lambda: {
        **{name: _drawn()[name] for name in ("sizes", "names", "spreads")},
        "says": {
            "under": "Not enough: the more products a score adds up, the larger it "
            "still gets.",
            "level": "Level: the spread is 1 for every d_k.",
            "over": "Too much: the more products a score adds up, the smaller it gets.",
        },
    },
    compute=_spreads,
    still=lambda _, now: still.divided(SIZES, now.spread),
    title="How widely scores spread for each d_k",
    summary=SUMMARY,
    tables=Table("Spread of the scores", "names", SPREAD),
    said=SAID,
)
panel = Figure(
    __file__,
    controls={"p": EXPONENT, "d_k": Choice("Numbers d_k", 64, SIZES, look=choice)},
    data=lambda: {
        **_drawn(),
        "says": {
            "under": "Not enough: the more numbers a query has, the likelier it gives "
            "nearly everything to one key.",
            "level": "Level. A query of 512 numbers now spreads its weight like one of "
            "8.",
            "over": "Too much: the more numbers the queries have, the nearer all eight "
            "weights come to ⅛.",
        },
    },
    compute=_weigh,
    still=lambda state, now: still.divided(SIZES, now.spread, now.medians),
    title="How widely scores spread for each d_k, and what that does to weights",
    summary=(
        *SUMMARY,
        "The largest of eight weights has a median of {median:.2f} at d_k = {d_k}.",
    ),
    tables=(
        Table(
            "Spread of the scores, and largest of eight weights (median)",
            "names",
            SPREAD,
            Line("largest", "medians"),
        ),
        Matrix("Weights of eight queries", "queries", "keys", "weights"),
    ),
    said={case: (words, LARGEST) for case, words in SAID.items()},
)
