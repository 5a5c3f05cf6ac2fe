"""dot_product_scores and scale_scores: every query against every key."""

from __future__ import annotations

import math

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, large, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Step, mistake
from attnlib.scores import dot_product_scores, scale_scores


def draw_scores(rng: np.random.Generator) -> list[Case]:
    """Draw queries and keys, with sizes that differ and sizes that agree."""
    n_q, n_k, d_k, batch = sizes(rng, 4)
    shapes = {
        "n_queries ≠ n_keys": ((n_q, d_k), (n_k, d_k)),
        "n_keys = d_k": ((n_q, d_k), (d_k, d_k)),
        "n_queries = n_keys": ((n_q, d_k), (n_q, d_k)),
        "all sizes equal": ((n_q, n_q), (n_q, n_q)),
        "a batch": ((batch, n_q, d_k), (batch, n_k, d_k)),
        "a batch of squares": (CUBE, CUBE),
    }
    return [
        case(label, query=normal(rng, *query), key=normal(rng, *key))
        for label, (query, key) in shapes.items()
    ]


def draw_scale(rng: np.random.Generator) -> list[Case]:
    """Scores, with a d_k that is not one of their sizes."""
    n_q, n_k, d_k, batch = sizes(rng, 4)
    return [
        case("a matrix", scores=normal(rng, n_q, n_k), d_k=d_k),
        case("d_k = 64", scores=normal(rng, n_k, n_q), d_k=64),
        case("a square matrix", scores=normal(rng, n_q, n_q), d_k=d_k),
        case("a batch", scores=normal(rng, batch, n_q, n_k), d_k=d_k),
        case("large scores", scores=large(rng, n_q, n_k) * 1e3, d_k=d_k),
    ]


SCORES = {"scores": lambda s: s.query @ s.key.mT}
ROWS = "which rows are the queries: there is a row of scores for each of them"

SCORES_MISTAKES = (
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
)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


SCALE = {"scaled": lambda s: s.scores / math.sqrt(s.d_k)}
DIVISOR = "the number that the scores are divided by"


def _times(factor: Step) -> Step:
    return lambda s: s.scores * factor(s)


SCALES = {
    "missing-scale": {"scores left as they are": lambda s: 1.0},
    "scaled-by-d_k": {"dividing by d_k itself": lambda s: 1 / s.d_k},
    "scaled-by-n": {
        f"dividing by {what}": lambda s, size=size, power=power: size(s) ** -power
        for power, root in ((0.5, "the root of "), (1, ""))
        for what, size in (
            (f"{root}the number of keys", lambda s: s.scores.shape[-1]),
            (f"{root}the number of queries", lambda s: s.scores.shape[-2]),
            (f"{root}the length of the first axis", lambda s: s.scores.shape[0]),
        )
    },
    "multiplied-by-root": {"multiplying by √d_k": lambda s: math.sqrt(s.d_k)},
    "multiplied-by-d_k": {"multiplying by d_k": lambda s: s.d_k},
    "scaled-by-square": {"dividing by the square of d_k": lambda s: s.d_k**-2.0},
}


SCALE_MISTAKES = (
    *(
        mistake(code, cause, DIVISOR, scaled=_times(factor))
        for code, ways in SCALES.items()
        for cause, factor in ways.items()
    ),
    *(
        mistake("root-of-scores", "taking the root of the scores", "the root", scaled=f)
        for f in (
            lambda s: np.sqrt(s.scores) / s.d_k,
            lambda s: np.sqrt(s.scores) / math.sqrt(s.d_k),
            lambda s: np.sqrt(s.scores),
        )
    ),
)

EXERCISES = (
    Exercise(
        "dot_product_scores",
        dot_product_scores,
        draw_scores,
        SCORES,
        DOT_MISTAKES,
        returns=("scores",),
    ),
    Exercise(
        "scale_scores",
        scale_scores,
        draw_scale,
        SCALE,
        SCALE_MISTAKES,
        returns=("scores",),
    ),
)
