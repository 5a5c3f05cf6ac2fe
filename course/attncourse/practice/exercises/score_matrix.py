"""score_matrix: the one matrix between two words that gives their score."""

from __future__ import annotations

import numpy as np

from attnlib.scores import dot_product_scores
from named_mistakes.cases import case, normal, sizes
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Pairs of weight matrices: tall, wide and square."""
    few, more = sorted(sizes(rng, 2))
    shapes = {
        "d_k < d_model": (more, few),
        "d_k > d_model": (few, more),
        "square weights": (few, few),
        "larger square weights": (more, more),
    }
    return [
        case(label, w_query=normal(rng, *shape), w_key=normal(rng, *shape))
        for label, shape in shapes.items()
    ]


def _mirrored(s) -> np.ndarray:
    matrix = s.w_query @ s.w_key.T
    return (matrix + matrix.T) / 2


def _copied(s, half) -> np.ndarray:
    kept = half(s.w_query @ s.w_key.T)
    return kept + kept.T - np.diag(np.diag(kept))


RECIPE = {"matrix": lambda s: s.w_query @ s.w_key.T}
MISTAKES = read_beside(__file__, globals(), RECIPE)

EXERCISES = (
    Exercise(
        "score_matrix",
        dot_product_scores,
        draw,
        RECIPE,
        MISTAKES,
        returns=("matrix",),
    ),
)
