"""scale_scores: dot products brought back to size."""

from __future__ import annotations

import math

import numpy as np

from attnlib.scores import scale_scores
from named_mistakes.cases import case, large, normal, sizes
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Scores, with a d_k that is not one of their sizes."""
    n_q, n_k, d_k, batch = sizes(rng, 4)
    return [
        case("a matrix", scores=normal(rng, n_q, n_k), d_k=d_k),
        case("d_k = 64", scores=normal(rng, n_k, n_q), d_k=64),
        case("a square matrix", scores=normal(rng, n_q, n_q), d_k=d_k),
        case("a batch", scores=normal(rng, batch, n_q, n_k), d_k=d_k),
        case("two axes of batches", scores=normal(rng, 2, batch, n_q, n_k), d_k=d_k),
        case("large scores", scores=large(rng, n_q, n_k) * 1e3, d_k=d_k),
    ]


SCALE = {"scaled": lambda s: s.scores / math.sqrt(s.d_k)}
DIVISOR = "the number that the scores are divided by"


MISTAKES = read_beside(__file__, globals(), SCALE)

EXERCISES = (
    Exercise(
        "scale_scores",
        scale_scores,
        draw,
        SCALE,
        MISTAKES,
        returns=("scores",),
    ),
)
