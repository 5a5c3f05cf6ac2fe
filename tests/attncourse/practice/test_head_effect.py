"""Wrong and right answers for head_effect, in several styles."""

import numpy as np
import pytest

from attncourse.practice import check
from attncourse.practice.exercises.head_effect import head_effect
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "head_effect"


def by_loops(weights, it, a, b):
    *batch, _, n_heads, n, _ = weights.shape
    flat = weights.reshape(-1, 2, n_heads, n, n)
    effects = [
        [
            (pair[0, h, it, a] - pair[0, h, it, b])
            - (pair[1, h, it, a] - pair[1, h, it, b])
            for h in range(n_heads)
        ]
        for pair in flat
    ]
    return np.reshape(effects, (*batch, n_heads))


def by_difference(weights, it, a, b):
    change = -np.diff(weights[..., it, :], axis=-3)[..., 0, :, :]
    return change[..., a] - change[..., b]


@pytest.mark.parametrize("answer", [by_loops, by_difference])
def test_right(answer):
    assert_passes(NAME, answer)


def test_by_hand():
    """Head 0 moves 0.5 of its weight from a to b; head 1 does not care."""
    first, second = np.full((2, 3, 3), 0.25), np.full((2, 3, 3), 0.25)
    first[0, 0], second[0, 0] = [0, 0.75, 0.25], [0, 0.25, 0.75]
    weights = np.stack([first, second])
    np.testing.assert_allclose(head_effect(weights, 0, 1, 2), [1, 0])


def column(weights, it, a, b):
    preference = weights[..., a, it] - weights[..., b, it]
    return preference[..., 0, :] - preference[..., 1, :]


def heads_compared(weights, it, a, b):
    preference = weights[..., it, a] - weights[..., it, b]
    return preference[..., 0] - preference[..., :2][..., -1]


WRONG = {
    "column-instead-of-row": column,
    "sign-flipped": lambda w, it, a, b: head_effect(w, it, b, a),
    "one-noun-only": lambda w, it, a, b: w[..., 0, :, it, a] - w[..., 1, :, it, a],
    "one-sentence-only": lambda w, it, a, b: w[..., 0, :, it, a] - w[..., 0, :, it, b],
    "nouns-added": lambda w, it, a, b: (
        head_effect(w, it, a, b) + 2 * (w[..., 0, :, it, b] - w[..., 1, :, it, b])
    ),
    "averaged-over-heads": lambda *four: head_effect(*four).mean(axis=-1),
    "wrong-axis": heads_compared,
}


@pytest.mark.parametrize(("code", "answer"), WRONG.items())
def test_wrong(code, answer):
    assert_found(NAME, code, answer)


def test_two_mistakes_at_once_are_both_named():
    report = check(NAME, lambda w, it, a, b: column(w, it, b, a), seed=0)
    assert not report.passed
    assert {one.code for one in report.findings} == {
        "column-instead-of-row",
        "sign-flipped",
    }
