"""Sums that a loop cuts short: one step too few, or = where += was meant."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.exercise import Mistake, Step, mistake

LOOK = "the loop over what is added up: where it begins and ends, and what it keeps"
PARTS = {
    "leaving out the last {what}": slice(None, -1),
    "leaving out the first {what}": slice(1, None),
    "keeping the last {what} alone, as = does in place of +=": slice(-1, None),
    "keeping the first {what} alone, as a return inside the loop does": slice(1),
}


def cut_short(step: str, left: Step, right: Step, what: str) -> tuple[Mistake, ...]:
    """Write down a matrix product that adds up a part of what it should.

    Parameters
    ----------
    step : str
        The step of the recipe that is the product.
    left, right : function
        What it multiplies, (..., n, m) and (..., m, k).
    what : str
        One of the m things that are added up, in words.
    """
    return tuple(
        mistake(
            "sum-cut-short",
            cause.format(what=what),
            LOOK,
            **{step: lambda s, part=part: _product(left(s), right(s), part)},
        )
        for cause, part in PARTS.items()
    )


def _product(left: np.ndarray, right: np.ndarray, part: slice) -> np.ndarray:
    return left[..., part] @ right[..., part, :]
