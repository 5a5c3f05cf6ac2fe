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
NEAREST = "what is asked: 0 between the two ends, and the distance outside"


def _apart(s) -> tuple[np.ndarray, np.ndarray]:
    return s.ends[0] - s.output, s.output - s.ends[1]


WAYS = {
    "distance-inside": (
        NEAREST,
        (
            "the distance to the nearer end, inside the range too",
            lambda s: np.minimum(*map(np.abs, _apart(s))),
        ),
        (
            "the distance to the farther end",
            lambda s: np.maximum(*map(np.abs, _apart(s))),
        ),
        ("adding up both distances", lambda s: sum(map(np.abs, _apart(s)))),
        ("a distance below 0 inside the range", lambda s: np.maximum(*_apart(s))),
        (
            "the distance to the middle of the range",
            lambda s: np.abs(s.output - (s.ends[0] + s.ends[1]) / 2),
        ),
        (
            "the distance to the mean of the values",
            lambda s: np.abs(s.output - s.value.mean(axis=-2, keepdims=True)),
        ),
    ),
    "ends-swapped": (
        "which end is subtracted: an output below the range is less than its lower end",
        (
            "the two ends in each other's place",
            lambda s: (
                np.maximum(s.ends[1] - s.output, 0)
                + np.maximum(s.output - s.ends[0], 0)
            ),
        ),
        (
            "differences turned round",
            lambda s: np.maximum(-_apart(s)[0], 0) + np.maximum(-_apart(s)[1], 0),
        ),
    ),
    "maximum-along-axis": (
        "np.max(a, 0): it takes the largest along axis 0; np.maximum(a, 0) is another",
        (
            "the largest of a column where the larger of a number and 0 was expected",
            lambda s: sum(np.max(x, 0) for x in _apart(s)),
        ),
    ),
    "other-range": (
        "the range: from the least to the largest value of a column",
        (
            "the distance from the mean, less the deviation",
            lambda s: np.maximum(
                np.abs(s.output - s.value.mean(axis=-2, keepdims=True))
                - s.value.std(axis=-2, keepdims=True),
                0,
            ),
        ),
        (
            "the first and the last value as the ends",
            lambda s: (
                np.maximum(s.value[..., :1, :] - s.output, 0)
                + np.maximum(s.output - s.value[..., -1:, :], 0)
            ),
        ),
        (
            "ranges with an end at 0",
            lambda s: (
                np.maximum(np.minimum(s.ends[0], 0) - s.output, 0)
                + np.maximum(s.output - np.maximum(s.ends[1], 0), 0)
            ),
        ),
    ),
    "minimum-for-maximum": (
        "np.minimum and np.maximum: what becomes of a number below 0",
        (
            "np.minimum in place of np.maximum",
            lambda s: np.minimum(_apart(s)[0], 0) + np.minimum(_apart(s)[1], 0),
        ),
    ),
    "divided-by-the-range": (
        "what is asked: the distance itself",
        (
            "dividing by the length of the range",
            lambda s: (s.below + s.above) / (s.ends[1] - s.ends[0]),
        ),
    ),
    "range-of-output": (
        "whose range is asked: that of the values",
        ("measuring the outputs against themselves", lambda s: 0 * s.output),
    ),
    "yes-or-no": (
        "what is asked: how far outside, not only whether",
        (
            "1 for each number outside",
            lambda s: ((s.below > 0) | (s.above > 0)).astype(float),
        ),
    ),
    "added-up": (
        "what comes back: one number for each number of the output",
        ("adding up each row", lambda s: (s.below + s.above).sum(axis=-1)),
        ("the largest of each row", lambda s: (s.below + s.above).max(axis=-1)),
        ("adding up everything", lambda s: (s.below + s.above).sum()),
        ("the largest of all", lambda s: (s.below + s.above).max()),
    ),
}
MISTAKES = (
    *mistakes_in("excess", WAYS),
    *mistakes_in("ends", ENDS),
    *mistakes_in("excess", EXCESS),
)

EXERCISES = (
    Exercise(
        "outside_range", outside_range, draw, OUTSIDE, MISTAKES, returns=("excess",)
    ),
)
