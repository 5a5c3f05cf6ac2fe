"""Dots that stand for a line or a value: they are found, and the answer is open."""

from named_mistakes.answer import Answer
from named_mistakes.faded import unfilled_lines
from tests.named_mistakes.toys import check


def with_gaps(x):
    x = x - x.max(axis=-1, keepdims=True)
    weights = ...
    return weights / ...


def without_gaps(x):
    return x[..., 0]


def test_dots_are_gaps_but_in_brackets():
    assert unfilled_lines(Answer(with_gaps)) == [3, 4]
    assert unfilled_lines(Answer(without_gaps)) == []
    assert unfilled_lines(Answer(3)) == []
    verdict = check("softmax", with_gaps)
    assert not verdict.passed
    assert not verdict.findings
    assert "Lines 3 and 4 still hold dots." in repr(verdict)
