"""Prints of a wrong answer are shown with its verdict; a right answer's are not."""

import pytest

from tests.named_mistakes.toys import assert_passes, check, softmax

pytestmark = [pytest.mark.slow, pytest.mark.long]


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


def test_a_quiet_right_answer_still_passes():
    assert_passes("softmax", softmax)
