"""The entry point: check an answer, show the verdict, return it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from named_mistakes import display
from named_mistakes.answer import Answer, is_blank
from named_mistakes.diagnose import diagnose
from named_mistakes.exercise import Case, Exercise
from named_mistakes.faded import describe_unfilled, unfilled_lines
from named_mistakes.report import Finding, Report
from named_mistakes.runner import Outcome, run_all

PRINTED_LINES = 12


def check(exercise: Exercise, answer: Callable | None, *, seed: Any = None) -> Report:
    """Try a function on fresh random cases and say what is wrong with it, if anything.

    The verdict is shown once, printed or as a note in a notebook. While the function
    runs, its warnings are muted; what it prints for the smallest case is shown with
    the verdict if it is wrong.

    Parameters
    ----------
    exercise : Exercise
    answer : function, or None while there is nothing yet
    seed : optional
        For `numpy.random.default_rng`, to draw the same cases again.

    Returns
    -------
    Report
        With `passed`, and `findings` that say which mistakes were made. A wrong answer
        never raises.

    Examples
    --------
    >>> def draw(rng):
    ...     return [Case("a few numbers", {"x": rng.standard_normal(5)})]
    >>> half = Exercise("half", lambda x: x / 2, draw)
    >>> check(half, lambda x: 0.5 * x).passed
    ✓ half: right. Tried on a few numbers.
    True
    """
    report = verdict(exercise, answer, np.random.default_rng(seed))
    display.show(report)
    return report


def verdict(exercise: Exercise, answer: Any, rng: np.random.Generator) -> Report:
    """Judge an answer without showing anything."""
    read = Answer(answer)
    if answer is None or answer is Ellipsis or is_blank(read):
        return Report(exercise.name, False)
    if dots := unfilled_lines(read):
        return Report(exercise.name, False, said=describe_unfilled(dots))
    cases = exercise.draw(rng)
    if not callable(answer):
        return Report(exercise.name, False, (_no_function(exercise, cases, answer),))
    outcomes = run_all(exercise, answer, cases)
    if outcomes[-1].code == "unwritten":
        return Report(exercise.name, False)
    findings = diagnose(exercise, outcomes, read, rng)
    said = _printed(outcomes) if findings else ""
    return Report(exercise.name, not findings, findings, _tried(cases), said)


def _printed(outcomes: list[Outcome]) -> str:
    """Return what a wrong answer printed for the smallest case, cut after 12 lines."""
    one = min(outcomes, key=lambda outcome: outcome.case.order)
    lines = one.printed.strip("\n").splitlines()
    more = ["…"] if len(lines) > PRINTED_LINES else []
    if not any(lines):
        return ""
    text = "\n".join([*lines[:PRINTED_LINES], *more])
    return f"It printed, for {one.case.described()}:\n{text}"


def _tried(cases: list[Case]) -> str:
    return ", ".join(dict.fromkeys(case.label for case in cases))


def _no_function(exercise: Exercise, cases: list[Case], answer: Any) -> Finding:
    if isinstance(answer, str):
        return Finding(
            "not-a-function",
            f"This is a piece of text, {answer!r}. Give the function itself: its name "
            "without quotes.",
        )
    return Finding(
        "not-a-function",
        f"This is of type {type(answer).__name__}; what is checked is the function "
        f"itself, which is then called with {', '.join(cases[0].inputs)}. Give its "
        "name alone, without parentheses after it.",
    )
