"""dot_product_scores: every query against every key."""

from __future__ import annotations

import math

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, mistake
from attncourse.practice.mistakes.loops import cut_short
from attncourse.practice.mistakes.normalization import too_soon
from attncourse.practice.mistakes.transposed import reshaped
from attnlib.scores import dot_product_scores


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
ROWS = "which rows are the queries: there is a row of scores for each of them"


def _reshaped(key: np.ndarray) -> np.ndarray:
    return key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])


SCORES_MISTAKES = (
    reshaped(scores=lambda s: s.query @ _reshaped(s.key)),
    mistake(
        "key-not-transposed",
        "multiplying query by key as they are",
        "the shapes of the two: a score needs a row of each",
        scores=lambda s: s.query @ s.key,
    ),
    mistake(
        "query-key-swapped",
        "scoring each key against the queries",
        ROWS,
        scores=lambda s: s.key @ s.query.mT,
    ),
)

DOT_MISTAKES = (
    *SCORES_MISTAKES,
    *(
        mistake(
            "all-axes-transposed",
            "a transpose that turns all axes round",
            "how the key is transposed: the axes of a batch stay where they are",
            scores=step,
        )
        for step in (
            lambda s: s.query @ s.key.T,
            lambda s: np.dot(s.query, s.key.T),
        )
    ),
    mistake(
        "multiplied-elementwise",
        "multiplying number by number",
        "the operator: a dot product adds up many products",
        scores=lambda s: s.query * s.key,
    ),
    mistake(
        "multiplied-elementwise",
        "scoring each query against the key of the same row only",
        "how many scores there are: one for every query and every key",
        scores=lambda s: np.sum(s.query * s.key, axis=-1),
    ),
    mistake(
        "scaled-too-soon",
        "scores that are scaled already",
        "what is asked: plain dot products; the scale is the next step",
        scores=lambda s: s.query @ s.key.mT / math.sqrt(s.key.shape[-1]),
    ),
    mistake(
        "cosines-instead",
        "dividing by the lengths of the vectors",
        "what is asked: plain dot products, in which length counts",
        scores=lambda s: _unit(s.query) @ _unit(s.key).mT,
    ),
    mistake(
        "distances-instead",
        "squared distances, with a minus",
        "what is asked: a dot product multiplies two vectors, number by number",
        scores=lambda s: -(_distances(s) ** 2),
    ),
    mistake(
        "triangle-only",
        "scoring each query against the keys up to its own place",
        "how many scores there are: one for every query and every key",
        scores=lambda s: np.tril(s.query @ s.key.mT),
    ),
    *cut_short("scores", lambda s: s.query, lambda s: s.key.mT, "number of a vector"),
    too_soon(**SCORES),
)


def _distances(s) -> np.ndarray:
    apart = s.query[..., :, None, :] - s.key[..., None, :, :]
    return np.linalg.norm(apart, axis=-1)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


EXERCISES = (
    Exercise(
        "dot_product_scores",
        dot_product_scores,
        draw,
        SCORES,
        DOT_MISTAKES,
        returns=("scores",),
    ),
)
