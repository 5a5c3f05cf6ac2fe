"""outside_range: how far an output lies where no mixture of the values can be."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Step
from attncourse.practice.mistakes.tables import mistakes_in


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


def _ends(axis: int | None, *, keepdims: bool = True) -> Step:
    return lambda s: (
        s.value.min(axis=axis, keepdims=keepdims),
        s.value.max(axis=axis, keepdims=keepdims),
    )


OUTSIDE = {
    "ends": _ends(-2),
    "below": lambda s: np.maximum(s.ends[0] - s.output, 0),
    "above": lambda s: np.maximum(s.output - s.ends[1], 0),
    "excess": lambda s: s.below + s.above,
}
COLUMN = "which numbers of the values go into one number of an output: one column"
BOTH = "both ends of a column: an output can lie below it as well as above"
WHAT = "what is asked: a distance, 0 or more"

ENDS = {
    "range-of-everything": (COLUMN, ("one range for all columns", _ends(None))),
    "wrong-axis": (
        COLUMN,
        ("the range of each row", _ends(-1)),
        ("the range over the first axis", _ends(0)),
    ),
    "keepdims-forgotten": (
        "the shapes for a batch: (batch, d_v) does not stand beside (batch, n, d_v)",
        ("ranges that have lost their axis", _ends(-2, keepdims=False)),
    ),
}
EXCESS = {
    "one-end-only": (
        BOTH,
        ("looking at the upper end alone", lambda s: s.above),
        ("looking at the lower end alone", lambda s: s.below),
    ),
    "sign-kept": (
        WHAT,
        ("negative numbers below the range", lambda s: s.above - s.below),
        ("negative numbers above the range", lambda s: s.below - s.above),
    ),
    "moved-inside": (
        WHAT,
        ("the nearest possible number", lambda s: s.output + s.below - s.above),
    ),
}
MISTAKES = (*mistakes_in("ends", ENDS), *mistakes_in("excess", EXCESS))

EXERCISES = (
    Exercise(
        "outside_range", outside_range, draw, OUTSIDE, MISTAKES, returns=("excess",)
    ),
)
