"""What else holds for head_effect, beside its answers."""

import numpy as np

from attncourse.practice import check
from attncourse.practice.exercises.head_effect import head_effect
from tests.attncourse.practice.answers.head_effect import column

NAME = "head_effect"


def test_by_hand():
    """Head 0 moves 0.5 of its weight from a to b; head 1 does not care."""
    first, second = np.full((2, 3, 3), 0.25), np.full((2, 3, 3), 0.25)
    first[0, 0], second[0, 0] = [0, 0.75, 0.25], [0, 0.25, 0.75]
    weights = np.stack([first, second])
    np.testing.assert_allclose(head_effect(weights, 0, 1, 2), [1, 0])


def test_two_mistakes_at_once_are_both_named():
    report = check(NAME, lambda w, it, a, b: column(w, it, b, a), seed=0)
    assert not report.passed
    assert {one.code for one in report.findings} == {
        "column-instead-of-row",
        "sign-flipped",
    }
