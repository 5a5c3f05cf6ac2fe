"""Catch: write a test that a wrong function fails and a right one passes."""

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from attncourse.practice.catalogue import named
from attncourse.practice.check import faulty
from named_mistakes.answer import Answer
from named_mistakes.exercise import Exercise
from named_mistakes.faded import unfilled_lines
from named_mistakes.limit import LINES, LineBudget, NeverEnds, limited
from named_mistakes.report import Report, show_open, show_right, show_wrong

TOLD = 3  # of the mistakes that get past it


def catch(name: str, wrong: Callable, test: Callable[[Callable], Any]) -> Report:
    """Run a test on a right function, on a wrong one, and on every known mistake.

    Parameters
    ----------
    name : str
        The exercise that the functions answer.
    wrong : function
        The one to be caught.
    test : function of a function
        It raises AssertionError where its argument is wrong.

    Returns
    -------
    Report
        Passed if the test lets the right one through and stops the wrong one. It says
        how many of the exercise's known mistakes the test would stop.

    Raises
    ------
    ValueError
        If there is no such exercise.

    Examples
    --------
    >>> def wrong(x):
    ...     return np.exp(x) / np.exp(x).sum()
    >>> def my_test(softmax):
    ...     assert softmax(np.zeros((2, 3))).shape == (2, 3)
    >>> _ = catch("softmax", wrong, my_test)
    ✗ softmax: not yet.
      gets-past: The wrong function passes your test too. Give it an input on which it \
is wrong, and compare what comes out with what should.
    """
    exercise = named(name)
    if open_ := unfilled_lines(Answer(test)):
        return show_open(
            name, f"Write your test where the dots are, in line {open_[0]}."
        )
    if unused := _never_used(Answer(test)):
        return show_wrong(
            name,
            "argument-not-called",
            f"Your test never calls `{unused}`, the function that it is given.",
        )
    if failure := _failure(test, exercise.reference):
        return show_wrong(name, "fails-the-right-one", _too_strict(failure))
    if not _failure(test, wrong):
        code, said = _gets_past(Answer(test), wrong)
        return show_wrong(name, code, said)
    return show_right(name, _reach(exercise, test))


def _failure(test: Callable, function: Callable) -> BaseException | None:
    """Return what the test raises for this function, or None."""
    try:
        with np.errstate(all="ignore"):
            limited(test, function, budget=LineBudget(LINES))
    except (Exception, NeverEnds) as error:
        return error
    return None


def _never_used(test: Answer) -> str:
    """Return the parameter of a test that never uses the function it is given."""
    names = {n.id for n in test.nodes if isinstance(n, ast.Name)}
    return "".join(one for one in test.parameters[:1] if names and one not in names)


def _gets_past(test: Answer, wrong: Callable) -> tuple[str, str]:
    """Say why a wrong function passes: nothing can fail, or nothing differs."""
    past = "The wrong function passes your test too"
    if not _can_fail(test, wrong):
        return "asserts-nothing", (
            f"{past}: nothing in it can fail. A comparison that is returned or printed "
            "stops nobody. Put `assert` before it."
        )
    return "gets-past", (
        f"{past}. Give it an input on which it is wrong, and compare what comes out "
        "with what should."
    )


def _can_fail(test: Answer, wrong: Callable) -> bool:
    """Tell a test that can fail; without its code, one that gives nothing back."""
    if test.source:
        text = ast.unparse(test.source.tree)
        return "assert" in text or "raise" in text
    with np.errstate(all="ignore"):
        return limited(test.function, wrong, budget=LineBudget(LINES)) is None


def _too_strict(failure: BaseException) -> str:
    if isinstance(failure, AssertionError):
        return "Your test stops a right function as well. What does it expect too much?"
    kind, words = type(failure).__name__, str(failure).split("\n")[0]
    return f"With a right function your test does not reach its end: {kind}: {words}"


def _reach(exercise: Exercise, test: Callable) -> str:
    """Say how many known mistakes it stops, and name some that get past it."""
    past = [m for m in exercise.mistakes if not _failure(test, faulty(exercise, m))]
    n = len(exercise.mistakes)
    stopped = n - len(past)
    said = f"It stops this function, and {stopped} of the {n} mistakes that we know."
    if past:
        some = "; ".join(dict.fromkeys(mistake.cause for mistake in past[:TOLD]))
        example = ", for example" if len(past) > TOLD else ""
        said += f" These get past it{example}: {some}."
    return said
