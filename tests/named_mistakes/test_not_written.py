"""Answers that are not there yet, and things that are no function."""

import numpy as np
import pytest

from named_mistakes import check
from tests.named_mistakes.half import HALF, half, said


@pytest.mark.parametrize("answer", [np.ones(3), "half", 3.5, [[1.0]], half([1.0])])
def test_not_a_function(answer):
    assert said(answer) == ["not-a-function"]


def test_callable_objects_will_do():
    class Half:
        def __call__(self, x):
            return half(x)

    assert said(Half()) == []
    assert said(Half) == ["crashed"]


def dots(x): ...  # your code


def words(x):
    """Half of each number."""


def dots_below_words(x):
    """Half of each number."""
    ...


def only_pass(x):
    pass


def gives_dots(x):
    return ...


def not_implemented(x):
    raise NotImplementedError


@pytest.mark.parametrize(
    "answer",
    [
        None,
        ...,
        dots,
        words,
        dots_below_words,
        only_pass,
        gives_dots,
        not_implemented,
        lambda x: ...,
    ],
)
def test_nothing_to_check_yet(answer, capsys):
    report = check(HALF, answer)
    assert not report.passed
    assert report.findings == ()
    assert "nothing to check yet" in capsys.readouterr().out


def test_a_blank_function_without_its_source():
    """Where the source cannot be had, a body of dots is still no mistake."""
    names = {}
    exec("def half(x): ...", names)
    assert check(HALF, names["half"]).findings == ()
