"""feed_forward: widen each row, cut off what is negative, go back to the old width."""

from __future__ import annotations

import numpy as np

from attnlib import feed_forward
from named_mistakes.cases import case, normal, sizes
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of several widths, a batch, and a bias that no other cut lets pass."""
    n, d, d_ff, batch = sizes(rng, 4)
    shapes = {
        "rows ≠ columns": (n, d, d_ff),
        "all widths equal": (d, d, d),
        "a batch": (batch, n, d, d_ff),
    }
    cases = [_case(rng, label, *shape) for label, shape in shapes.items()]
    large = _case(rng, "a large bias", n, d, d_ff)
    large.inputs["b_1"] += 10
    return [*cases, large]


def _case(rng: np.random.Generator, label: str, *shape: int) -> Case:
    *rows, d, d_ff = shape
    return case(
        label,
        x=normal(rng, *rows, d),
        w_1=normal(rng, d, d_ff),
        b_1=normal(rng, d_ff),
        w_2=normal(rng, d_ff, d),
        b_2=normal(rng, d),
    )


def _cut(x) -> np.ndarray:
    return np.maximum(0, x)


FORWARD: Steps = {
    "widened": lambda s: s.x @ s.w_1 + s.b_1,
    "hidden": lambda s: _cut(s.widened),
    "output": lambda s: s.hidden @ s.w_2 + s.b_2,
}


def _norm(x: np.ndarray) -> np.ndarray:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


MISTAKES = read_beside(__file__, globals(), FORWARD)

EXERCISES = (Exercise("feed_forward", feed_forward, draw, FORWARD, MISTAKES),)
