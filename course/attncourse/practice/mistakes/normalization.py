"""Softmax, and what is written in its place: weights that are not shares of 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from named_mistakes.exercise import Mistake
from named_mistakes.formula import Formula
from named_mistakes.table import read_beside

LARGEST = "what has to happen to large scores before the exponential"
AXIS = "the axis of the sum: the weights of one row add up to 1"


def stable(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Softmax as a right answer has it."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def plain(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Softmax that overflows."""
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


def summed(x: np.ndarray, axis: int | tuple[int, ...] | None) -> np.ndarray:
    """Subtract the largest of each row, but sum along another axis."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def all_of(x: np.ndarray, axis: tuple[int, ...] | None = None) -> np.ndarray:
    """Weights that add up to 1 only all together."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _forgetful(
    x: np.ndarray, *, largest: bool | None, total: bool, axis: int = -1
) -> np.ndarray:
    """Lose the axis of the row maxima, of the row sums, or of both."""
    if largest is not None:
        x = x - x.max(axis=axis, keepdims=largest)
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=total)


def _late(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x)
    lower = powers - powers.max(axis=-1, keepdims=True)
    return lower / lower.sum(axis=-1, keepdims=True)


def _holes_filled(x: np.ndarray) -> np.ndarray:
    return np.nan_to_num(plain(x))


# What may stand in place of softmax, here and in the exercises on attention.
WAYS = read_beside(__file__, globals())

# With −∞ among the scores these give NaN, and no number to tell them by.
WITH_MASK = ("sign-flipped", "no-exponential", "largest-divided", "signs-lost")


def in_place_of(
    step: str, takes: str, without: tuple[str, ...] = ()
) -> tuple[Mistake, ...]:
    """Make the mistakes above, without some, for a recipe where softmax is one step."""
    return tuple(
        replace(one, steps={step: _renamed(one, takes)})
        for one in WAYS
        if one.code not in without
    )


def _renamed(one: Mistake, takes: str) -> Formula:
    """Let the formula of a mistake read another step than `x`."""
    formula = one.steps["weights"]
    assert isinstance(formula, Formula)
    return formula.with_names(x=takes)
