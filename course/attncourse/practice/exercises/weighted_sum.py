"""weighted_sum: each output mixes the values, with its own row of weights."""

from __future__ import annotations

import numpy as np

from attncourse.practice.mistakes.normalization import stable
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Weights that sum to 1 in each row, and values, of several shapes."""
    n_q, n_k, d_v, batch = sizes(rng, 4)
    shapes = {
        "all sizes different": ((n_q, n_k), (n_k, d_v)),
        "n_queries = n_keys": ((n_k, n_k), (n_k, d_v)),
        "n_keys = d_v": ((n_q, n_k), (n_k, n_k)),
        "n_queries = d_v": ((n_q, n_k), (n_k, n_q)),
        "all sizes equal": ((n_k, n_k), (n_k, n_k)),
        "a batch": ((batch, n_q, n_k), (batch, n_k, d_v)),
        "a batch of squares": (CUBE, CUBE),
        "two axes of batches": ((2, batch, n_q, n_k), (2, batch, n_k, d_v)),
    }
    return [
        case(label, weights=stable(normal(rng, *weights)), value=normal(rng, *value))
        for label, (weights, value) in shapes.items()
    ]


def _products(s) -> np.ndarray:
    """Multiply each weight by its value: (..., n_queries, n_keys, d_v)."""
    return s.shares[..., None] * s.value[..., None, :, :]


def _for_each_query(s, row: np.ndarray) -> np.ndarray:
    """Give every query the same row."""
    row = row[..., None, :]
    return np.broadcast_to(row, (*s.shares.shape[:-1], row.shape[-1]))


def _winner(s) -> np.ndarray:
    best = s.shares.argmax(axis=-1)[..., None]
    return np.take_along_axis(s.value, best, axis=-2)


def _mean(s) -> np.ndarray:
    return s.value.mean(axis=-2)


def _total(s) -> np.ndarray:
    return s.value.sum(axis=-2)


WEIGHTED = {
    "shares": lambda s: s.weights,
    "mixed": lambda s: s.shares @ s.value,
    "output": lambda s: s.mixed,
}
SHARES = "what the weights are: shares already, to be used as they are"


MISTAKES = read_beside(__file__, globals(), WEIGHTED)

EXERCISES = (Exercise("weighted_sum", lambda w, v: w @ v, draw, WEIGHTED, MISTAKES),)
