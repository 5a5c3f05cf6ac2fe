"""Answers as they are read and run: dots, results that nobody takes, memory, prints."""

import tracemalloc

import numpy as np
import pytest

from named_mistakes.answer import Answer
from named_mistakes.faded import unfilled_lines
from named_mistakes.limit import memory
from tests.named_mistakes.toys import check, softmax


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


def exponentials_dropped(x):
    np.exp(x)
    return x / x.sum(-1, keepdims=True)


def copy_dropped(x):
    x.clip(0, 1)
    return x


@pytest.mark.parametrize(
    ("answer", "quoted"),
    [(exponentials_dropped, "`np.exp(x)`"), (copy_dropped, "`x.clip(0, 1)`")],
)
def test_a_new_array_that_is_dropped(answer, quoted):
    findings = {one.code: one.message for one in check("softmax", answer).findings}
    line = answer.__code__.co_firstlineno + 1
    assert findings["result-unused"].startswith(f"Line {line}, {quoted}, has no effect")


def in_place(x):
    np.subtract(x, 1, out=(out := x.copy()))
    out.fill(0.5)
    return out


def test_what_is_called_for_its_effect_is_not():
    codes = [one.code for one in check("softmax", in_place).findings]
    assert codes
    assert "result-unused" not in codes


def test_the_most_that_was_held_is_measured_and_tracing_left_as_it_was():
    with memory() as held:
        np.zeros(100_000)  # gone at once, and counted
        kept = np.zeros(1000)
    assert 800_000 <= held() < 900_000
    assert not tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        with memory() as held:
            kept = np.zeros(1000)
        assert kept.nbytes <= held() < 100_000
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_a_wrong_answer_shows_what_it_printed_for_the_smallest_case():
    def answer(x):
        print("shape", x.shape)
        return x

    report = check("softmax", answer, seed=0)
    assert report.printed.startswith("It printed, for x (")
    shape = report.printed.splitlines()[-1]
    assert shape.removeprefix("shape ") in report.printed.splitlines()[0]
    assert report.printed.splitlines()[-1] in repr(report)
    assert "<pre" in report._repr_html_()


def test_long_prints_are_cut():
    report = check("softmax", lambda x: print("line\n" * 100), seed=0)
    assert len(report.printed.splitlines()) == 1 + 12 + 1


def test_a_right_answer_is_quiet():
    def answer(x):
        print("here")
        return softmax(x)

    assert check("softmax", answer, seed=0).printed == ""
