"""outside_range: how far an output lies where no mixture of the values can be."""

from __future__ import annotations

import numpy as np

from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Values, and outputs about half of whose numbers lie outside of their columns."""
    n_q, n_k, d_v, batch = sizes(rng, 4)
    shapes = {
        "all sizes different": ((n_q, d_v), (n_k, d_v)),
        "n_queries = n_keys": ((n_k, d_v), (n_k, d_v)),
        "all sizes equal": ((n_k, n_k), (n_k, n_k)),
        "a batch": ((batch, n_q, d_v), (batch, n_k, d_v)),
        "a batch of squares": (CUBE, CUBE),
        "two axes of batches": ((2, batch, n_q, d_v), (2, batch, n_k, d_v)),
    }
    return [
        case(label, output=3 * normal(rng, *output), value=normal(rng, *value))
        for label, (output, value) in shapes.items()
    ]


def outside_range(output: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Measure from the nearer end of a column of values; 0 between its two ends."""
    low, high = value.min(axis=-2, keepdims=True), value.max(axis=-2, keepdims=True)
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


def _ends(s, axis: int | tuple[int, ...] | None, *, keepdims: bool = True) -> tuple:
    how = {"axis": axis, "keepdims": keepdims}
    return s.value.min(**how), s.value.max(**how)


OUTSIDE = {
    "ends": lambda s: _ends(s, -2),
    "below": lambda s: np.maximum(s.ends[0] - s.output, 0),
    "above": lambda s: np.maximum(s.output - s.ends[1], 0),
    "excess": lambda s: s.below + s.above,
}


def _apart(s) -> tuple[np.ndarray, np.ndarray]:
    return s.ends[0] - s.output, s.output - s.ends[1]


def _to_nearest(s) -> np.ndarray:
    return np.abs(s.output[..., None, :] - s.value[..., None, :, :]).min(axis=-2)


MISTAKES = read_beside(__file__, globals(), OUTSIDE)

EXERCISES = (
    Exercise(
        "outside_range", outside_range, draw, OUTSIDE, MISTAKES, returns=("excess",)
    ),
)
