"""The entry: check an answer to an exercise of this course."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import named_mistakes
from attncourse.practice.catalogue import named
from named_mistakes.report import Report


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
