"""The entry: check an answer to an exercise of this course."""

from collections.abc import Callable
from typing import Any

import numpy as np

import named_mistakes
from attncourse.practice.catalogue import named
from named_mistakes.checking import verdict
from named_mistakes.exercise import Case, Exercise, Mistake
from named_mistakes.report import Report


def faulty(exercise: Exercise, mistake: Mistake) -> Callable:
    """Make a function that has this mistake.

    Parameters
    ----------
    exercise : Exercise
    mistake : Mistake
        One of its own.

    Returns
    -------
    function
        With the arguments of the exercise.
    """
    names = list(exercise.draw(np.random.default_rng(0))[0].inputs)

    def function(*inputs: Any, **more: Any) -> Any:
        given = {**dict(zip(names, inputs, strict=False)), **more}
        case = Case(
            "", {k: np.asarray(x) if np.ndim(x) else x for k, x in given.items()}
        )
        several = exercise.mistaken(case, mistake.steps, is_kept=False)
        return several if len(exercise.returns) > 1 else several[0]

    return function


def said_of(exercise: Exercise, mistake: Mistake) -> str:
    """Return the words of the verdict on an answer that makes one mistake.

    Raises
    ------
    LookupError
        If the verdict names another mistake.
    """
    findings = verdict(
        exercise, faulty(exercise, mistake), np.random.default_rng(0)
    ).findings
    said = [found.message for found in findings if found.code == mistake.code]
    if not said:
        named = [found.code for found in findings]
        raise LookupError(f"{exercise.name}: {mistake.code} is said to be {named}")
    return said[0]


def check(name: str, answer: Callable | None, *, seed: Any = None) -> Report:
    """Try a function on fresh random cases and say what is wrong with it, if anything.

    The verdict is shown once, printed or as a note in a notebook. While the function
    runs, its warnings are muted; what it prints for the smallest case is shown with
    the verdict if it is wrong.

    Parameters
    ----------
    name : str
        The exercise: one of `EXERCISES`.
    answer : function, or None while there is nothing yet
    seed : optional
        For `numpy.random.default_rng`, to draw the same cases again.

    Returns
    -------
    Report
        With `passed`, and `findings` that say which mistakes were made.

    Raises
    ------
    ValueError
        If there is no exercise of that name. A wrong answer never raises.

    Examples
    --------
    >>> from attnlib import causal_mask
    >>> check("causal_mask", causal_mask).passed
    ✓ causal_mask: right. Tried on 1 token, a few tokens, more tokens.
    True
    """
    return named_mistakes.check(named(name), answer, seed=seed)
