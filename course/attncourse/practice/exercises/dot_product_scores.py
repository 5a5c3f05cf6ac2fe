"""dot_product_scores: every query against every key."""

from __future__ import annotations

import numpy as np

from attnlib.scores import dot_product_scores
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw queries and keys, with sizes that differ and sizes that agree."""
    n_q, n_k, d_k, batch = sizes(rng, 4)
    shapes = {
        "n_queries ≠ n_keys": ((n_q, d_k), (n_k, d_k)),
        "n_keys = d_k": ((n_q, d_k), (d_k, d_k)),
        "n_queries = n_keys": ((n_q, d_k), (n_q, d_k)),
        "all sizes equal": ((n_q, n_q), (n_q, n_q)),
        "a batch": ((batch, n_q, d_k), (batch, n_k, d_k)),
        "a batch of squares": (CUBE, CUBE),
        "two axes of batches": ((2, batch, n_q, d_k), (2, batch, n_k, d_k)),
    }
    return [
        case(label, query=normal(rng, *query), key=normal(rng, *key))
        for label, (query, key) in shapes.items()
    ]


SCORES = {"scores": lambda s: s.query @ s.key.mT}


def _reshaped(key: np.ndarray) -> np.ndarray:
    return key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])


def _distances(s) -> np.ndarray:
    apart = s.query[..., :, None, :] - s.key[..., None, :, :]
    return np.linalg.norm(apart, axis=-1)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


MISTAKES = read_beside(__file__, globals(), SCORES)

EXERCISES = (
    Exercise(
        "dot_product_scores",
        dot_product_scores,
        draw,
        SCORES,
        MISTAKES,
        returns=("scores",),
    ),
)
