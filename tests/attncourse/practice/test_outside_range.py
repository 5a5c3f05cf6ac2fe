"""Wrong and right answers for outside_range, in several styles."""

import numpy as np
import pytest

from attncourse.practice import EXERCISES
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "outside_range"


def by_clip(output, value):
    low, high = value.min(axis=-2), value.max(axis=-2)
    inside = np.clip(output, low[..., None, :], high[..., None, :])
    return abs(output - inside)


def by_where(output, value):
    low, high = np.min(value, -2, keepdims=True), np.max(value, -2, keepdims=True)
    return np.where(
        output < low, low - output, np.where(output > high, output - high, 0)
    )


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


@pytest.mark.parametrize("answer", [by_clip, by_where, number_by_number])
def test_right(answer):
    assert_passes(NAME, answer)


def test_a_mixture_is_never_outside():
    rng = np.random.default_rng(0)
    for case in EXERCISES[NAME].draw(rng):
        value = case.inputs["value"]
        weights = rng.dirichlet(np.ones(value.shape[-2]), (*value.shape[:-2], 5))
        assert not EXERCISES[NAME].reference(weights @ value, value).any()


def test_the_printed_answers_of_post_4_have_to_be_refuted_otherwise():
    """The range is a necessary test only: [5.3, 4.2] lies within both columns."""
    value = np.array([[10.0, 0], [0, 10], [5, 5]])
    excess = EXERCISES[NAME].reference(np.array([[5.3, 4.2], [11, -1]]), value)
    np.testing.assert_allclose(excess, [[0, 0], [1, 1]])


def outside(output, low, high):
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


WRONG = {
    "range-of-everything": [
        lambda output, value: outside(output, value.min(), value.max()),
        lambda output, value: abs(output - np.clip(output, value.min(), value.max())),
    ],
    "wrong-axis": [
        lambda output, value: outside(
            output, value.min(-1, keepdims=True), value.max(-1, keepdims=True)
        ),
    ],
    "keepdims-forgotten": [
        lambda output, value: outside(output, value.min(-2), value.max(-2)),
    ],
    "one-end-only": [
        lambda output, value: np.maximum(output - value.max(-2, keepdims=True), 0),
        lambda output, value: np.maximum(value.min(-2, keepdims=True) - output, 0),
    ],
    "sign-kept": [
        lambda output, value: (
            output
            - np.clip(
                output, value.min(-2, keepdims=True), value.max(-2, keepdims=True)
            )
        ),
    ],
    "moved-inside": [
        lambda output, value: np.clip(
            output, value.min(-2, keepdims=True), value.max(-2, keepdims=True)
        ),
    ],
}
CASES = [(code, answer) for code, answers in WRONG.items() for answer in answers]


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_wrong(code, answer):
    assert_found(NAME, code, answer)
