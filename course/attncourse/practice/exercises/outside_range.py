"""outside_range: how far an output lies where no mixture of the values can be."""

import numpy as np

from attncourse.practice.exercise import exercise
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.exercise import Case


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
    "apart": lambda s: (s.ends[0] - s.output, s.output - s.ends[1]),
    "below": lambda s: np.maximum(s.apart[0], 0),
    "above": lambda s: np.maximum(s.apart[1], 0),
    "excess": lambda s: s.below + s.above,
}


TABLE = """
NEAREST = what is asked: 0 between the two ends, and the distance outside
COLUMN = which numbers of the values go into one number of an output: one column
BOTH = both ends of a column: an output can lie below it as well as above
WHAT = what is asked: a distance, 0 or more

excess | distance-inside | {NEAREST}
    the distance to the nearer end, inside the range too =
        np.minimum(*map(np.abs, apart))
    the distance to the farther end = np.maximum(*map(np.abs, apart))
    adding up both distances = sum(map(np.abs, apart))
    a distance below 0 inside the range = np.maximum(*apart)
    the distance to the middle of the range = np.abs(output - (ends[0] + ends[1]) / 2)
    the distance to the mean of the values =
        np.abs(output - value.mean(axis=-2, keepdims=True))

excess | distance-to-values | {NEAREST}
    the distance to the nearest of the values =
        np.abs(output[..., None, :] - value[..., None, :, :]).min(axis=-2)

excess | ends-swapped | which end is subtracted: an output below the range is less than
        its lower end
    the two ends in each other's place =
        np.maximum(ends[1] - output, 0) + np.maximum(output - ends[0], 0)
    differences turned round = np.maximum(-apart[0], 0) + np.maximum(-apart[1], 0)

excess | maximum-along-axis | np.max(a, 0): it takes the largest along axis 0;
        np.maximum(a, 0) is another
    the largest of a column where the larger of a number and 0 was expected =
        sum((np.max(x, 0) for x in apart))

excess | other-range | the range: from the least to the largest value of a column
    the distance from the mean, less the deviation =
        np.maximum(
            np.abs(output - value.mean(axis=-2, keepdims=True))
            - value.std(axis=-2, keepdims=True),
            0,
        )
    the first and the last value as the ends =
        np.maximum(value[..., :1, :] - output, 0) + np.maximum(
            output - value[..., -1:, :], 0
        )
    ranges with an end at 0 =
        np.maximum(np.minimum(ends[0], 0) - output, 0) + np.maximum(
            output - np.maximum(ends[1], 0), 0
        )

excess | minimum-for-maximum | np.minimum and np.maximum: what becomes of a number below
        0
    np.minimum in place of np.maximum =
        np.minimum(apart[0], 0) + np.minimum(apart[1], 0)

excess | divided-by-the-range | what is asked: the distance itself
    dividing by the length of the range = (below + above) / (ends[1] - ends[0])

excess | range-of-output | whose range is asked: that of the values
    measuring the outputs against themselves = 0 * output

excess | yes-or-no | what is asked: how far outside, not only whether
    1 for each number outside = ((below > 0) | (above > 0)).astype(float)

excess | added-up | what comes back: one number for each number of the output
    adding up each row = (below + above).sum(axis=-1)
    the largest of each row = (below + above).max(axis=-1)
    adding up everything = (below + above).sum()
    the largest of all = (below + above).max()

ends | range-of-everything | {COLUMN}
    one range for all columns = _ends(s, None)
    one range for all columns = _ends(s, (-2, -1))

ends | wrong-axis | {COLUMN}
    the range of each row = _ends(s, -1)
    the range over the first axis = _ends(s, 0)

ends | keepdims-forgotten | the shapes for a batch: (batch, d_v) does not stand beside
        (batch, n, d_v)
    ranges that have lost their axis = _ends(s, -2, keepdims=False)

excess | one-end-only | {BOTH}
    looking at the upper end alone = above
    looking at the lower end alone = below

excess | sign-kept | {WHAT}
    negative numbers below the range = above - below
    negative numbers above the range = below - above

excess | moved-inside | {WHAT}
    the nearest possible number = output + below - above
"""

EXERCISE = exercise(globals(), outside_range, OUTSIDE, returns=("excess",))
