"""Right and wrong answers for outside_range, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def by_clip(output, value):
    low, high = value.min(axis=-2), value.max(axis=-2)
    inside = np.clip(output, low[..., None, :], high[..., None, :])
    return abs(output - inside)


@right
def by_where(output, value):
    low, high = np.min(value, -2, keepdims=True), np.max(value, -2, keepdims=True)
    return np.where(
        output < low, low - output, np.where(output > high, output - high, 0)
    )


@right
def number_by_number(output, value):
    if output.ndim > 2:
        pairs = zip(output, value, strict=True)
        return [number_by_number(one, other) for one, other in pairs]
    columns = [sorted(column) for column in value.T]
    return [
        [
            max(ends[0] - x, 0, x - ends[-1])
            for x, ends in zip(row, columns, strict=True)
        ]
        for row in output
    ]


def outside(output, low, high):
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


wrong("range-of-everything")(
    lambda output, value: outside(output, value.min(), value.max()),
    lambda output, value: abs(output - np.clip(output, value.min(), value.max())),
)
wrong("wrong-axis")(
    lambda output, value: outside(
        output, value.min(-1, keepdims=True), value.max(-1, keepdims=True)
    )
)
wrong("keepdims-forgotten")(
    lambda output, value: outside(output, value.min(-2), value.max(-2))
)
wrong("one-end-only")(
    lambda output, value: np.maximum(output - value.max(-2, keepdims=True), 0),
    lambda output, value: np.maximum(value.min(-2, keepdims=True) - output, 0),
)
wrong("sign-kept")(
    lambda output, value: (
        output
        - np.clip(output, value.min(-2, keepdims=True), value.max(-2, keepdims=True))
    )
)
wrong("moved-inside")(
    lambda output, value: np.clip(
        output, value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    )
)


@wrong("maximum-along-axis")
def column_maxima(output, value):
    low, high = value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    return np.max(low - output, 0) + np.max(output - high, 0)


@wrong("distance-to-values")
def to_the_nearest_value(output, value):
    apart = output[..., :, None, :] - value[..., None, :, :]
    return np.min(abs(apart), axis=-2)


@wrong("range-of-everything")
def one_range_for_each_text(output, value):
    low = value.min(axis=(-2, -1), keepdims=True)
    high = value.max(axis=(-2, -1), keepdims=True)
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)
