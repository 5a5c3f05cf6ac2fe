"""project: the same rows seen through a weight matrix."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, mistake
from attncourse.practice.mistakes.loops import cut_short
from attncourse.practice.mistakes.normalization import too_soon
from attncourse.practice.mistakes.transposed import projection_transposed
from attnlib.projections import project

PROJECT = {"output": lambda s: s.x @ s.w}
ORDER = "the shapes on both sides of the product: (n, d_in) and (d_in, d_out)"


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


MISTAKES = (
    projection_transposed(output=lambda s: s.x @ s.w.T),
    mistake(
        "order-swapped",
        "multiplying from the other side",
        ORDER,
        output=lambda s: s.w @ s.x,
    ),
    mistake(
        "order-swapped",
        "multiplying from the other side by transposed weights",
        ORDER,
        output=lambda s: s.w.T @ s.x,
    ),
    mistake(
        "result-transposed",
        "treating vectors as columns",
        "what a row of the result is: one vector, as in x",
        output=lambda s: np.swapaxes(s.x @ s.w, -1, -2),
    ),
    mistake(
        "result-transposed",
        "treating vectors as columns",
        "what a row of the result is: one vector, as in x",
        output=lambda s: s.w.T @ s.x.T,
    ),
    mistake(
        "multiplied-elementwise",
        "multiplying number by number",
        "the operator: a matrix product adds up many products",
        output=lambda s: s.x * s.w,
    ),
    mistake(
        "scaled-too-soon",
        "dividing by √d_k",
        "what is asked: the product alone; it is scores that are scaled",
        output=lambda s: s.x @ s.w / np.sqrt(s.w.shape[-1]),
    ),
    *(
        mistake(
            "normalized",
            f"giving {what} the length 1 first",
            "what is asked: the product of the two as they are",
            output=step,
        )
        for what, step in (
            ("each column of w", lambda s: s.x @ _unit(s.w, -2)),
            ("each row of w", lambda s: s.x @ _unit(s.w, -1)),
            ("each row of x", lambda s: _unit(s.x, -1) @ s.w),
        )
    ),
    mistake(
        "inverse-used",
        "an inverse of the weights",
        "what is asked: the product with the weights themselves",
        output=lambda s: s.x @ np.linalg.pinv(s.w).T,
    ),
    *cut_short("output", lambda s: s.x, lambda s: s.w, "number of a row"),
    too_soon(**PROJECT),
)

EXERCISES = (Exercise("project", project, draw, PROJECT, MISTAKES),)
