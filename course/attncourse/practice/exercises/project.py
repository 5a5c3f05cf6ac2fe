"""project: the same rows seen through a weight matrix."""

from __future__ import annotations

import numpy as np

from attnlib.projections import project
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside

PROJECT = {"output": lambda s: s.x @ s.w}


def draw(rng: np.random.Generator) -> list[Case]:
    """Rows, and weights of several shapes."""
    n, d_in, d_out, batch = sizes(rng, 4)
    shapes = {
        "rows ≠ columns": ((n, d_in), (d_in, d_out)),
        "square weights": ((n, d_in), (d_in, d_in)),
        "all sizes equal": ((n, n), (n, n)),
        "a batch": ((batch, n, d_in), (d_in, d_out)),
        "a batch of squares": (CUBE, CUBE[1:]),
        "two axes of batches": ((2, batch, n, d_in), (d_in, d_out)),
    }
    return [
        case(label, x=normal(rng, *x), w=normal(rng, *w))
        for label, (x, w) in shapes.items()
    ]


def _unit(x: np.ndarray, axis: int) -> np.ndarray:
    return x / np.linalg.norm(x, axis=axis, keepdims=True)


MISTAKES = read_beside(__file__, globals(), PROJECT)

EXERCISES = (Exercise("project", project, draw, PROJECT, MISTAKES),)
