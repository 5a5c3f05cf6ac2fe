"""Softmax, and what is written in its place: weights that are not shares of 1."""

from dataclasses import replace

import numpy as np

from named_mistakes.exercise import Mistake
from named_mistakes.formula import Formula
from named_mistakes.table import read

LARGEST = "what has to happen to large scores before the exponential"
AXIS = "the axis of the sum: the weights of one row add up to 1"


def stable(x: np.ndarray, axis: int | tuple[int, ...] | None = -1) -> np.ndarray:
    """Softmax as a right answer has it."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def summed(x: np.ndarray, axis: int | tuple[int, ...] | None) -> np.ndarray:
    """Subtract the largest of each row, but sum along another axis."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
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


# What may stand in place of softmax, here and in the exercises on attention.
TABLE = """
weights | wrong-axis | {AXIS}
    for axis in 0, 1, -2, -3: for how in stable, summed:
        making weights add up to 1 along axis {axis} = {how}(x, {axis})

weights | normalized-over-everything | {AXIS}
    for how in stable, summed: for axis in None, (-2, -1):
        one sum over several rows = {how}(x, {axis})

weights | not-normalized | what the weights of one row add up to
    exponentials that are not divided by their sum = np.exp(x)
    exponentials that are not divided by their sum =
        np.exp(x - x.max(axis=-1, keepdims=True))
    each score squeezed by itself = 1 / (1 + np.exp(-x))

weights | keepdims-forgotten | the shape of what you divide by: (n, 1) divides rows,
        (n,) columns
    for kept in True, None: for axis in -1, 1:
        row sums that have lost their axis and so divide the columns =
        _forgetful(x, largest={kept}, total=False, axis={axis})

weights | keepdims-forgotten | the shape of what you subtract or divide by: (n, 1)
        belongs to rows, (n,) to columns
    for axis in -1, 1:
        row maxima that have lost their axis and so belong to the columns =
        _forgetful(x, largest=False, total=True, axis={axis})
    for axis in -1, 1: row maxima and row sums that have lost their axis =
        _forgetful(x, largest=False, total=False, axis={axis})

weights | softmax-twice | how often softmax is applied: once to each row of scores
    softmax on top of softmax = stable(stable(x))

weights | overflow | {LARGEST}
    replacing what has overflowed =
        np.nan_to_num(_forgetful(x, largest=None, total=True))

weights | sign-flipped | the sign: the largest score gets the largest weight
    a minus before the scores = stable(-x)

weights | no-exponential | what is done to a score first: weights are positive, scores
        need not be
    dividing the scores themselves by their sum = x / x.sum(axis=-1, keepdims=True)

weights | no-exponential | what is done to a score first: the exponential keeps their
        order
    dividing the sizes of the scores by their sum =
        np.abs(x) / np.abs(x).sum(axis=-1, keepdims=True)

weights | no-exponential | what is done to a score first: every score gets a share
    cutting scores off at 0 and dividing by their sum =
        np.maximum(x, 0) / np.maximum(x, 0).sum(axis=-1, keepdims=True)

weights | base-two | the base of the powers
    powers of 2 = stable(x * np.log(2))

weights | no-exponential | what is done to a score first: the exponential, before any
        sum
    dividing the distances to the largest score by their sum =
        (x - x.max(axis=-1, keepdims=True))
        / (x - x.max(axis=-1, keepdims=True)).sum(axis=-1, keepdims=True)

weights | largest-divided | what happens to the largest score: it is subtracted
    dividing the scores by the largest = stable(x / x.max(axis=-1, keepdims=True))
    dividing the scores by the largest size =
        stable(x / np.abs(x).max(axis=-1, keepdims=True))

weights | signs-lost | the signs: a score below 0 gets a small weight
    taking the scores without their signs = stable(np.abs(x))

weights | uniform-weights | where the scores are used: a larger score gets a larger
        share
    the same share for every key =
        np.isfinite(x) / np.isfinite(x).sum(axis=-1, keepdims=True)

weights | no-exponential | what is done to a score first: the exponential, before any
        sum
    dividing the distances to the smallest score by their sum =
        (x - x.min(axis=-1, keepdims=True))
        / (x - x.min(axis=-1, keepdims=True)).sum(axis=-1, keepdims=True)

weights | largest-left-in | the largest score: it is subtracted above the line and below
    subtracting the largest score above the line alone =
        np.exp(x - x.max(axis=-1, keepdims=True))
        / np.exp(x).sum(axis=-1, keepdims=True)
    subtracting the largest score below the line alone =
        np.exp(x)
        / np.exp(x - x.max(axis=-1, keepdims=True)).sum(axis=-1, keepdims=True)

weights | subtracted-too-late | when the largest score is subtracted: before the
        exponential
    subtracting the largest exponential = _late(x)

weights | one-too-many-below | what stands below the line: the sum, and nothing more
    adding 1 to the sum = np.exp(x) / (1 + np.exp(x).sum(axis=-1, keepdims=True))
    adding 1 to the sum =
        np.exp(x - x.max(axis=-1, keepdims=True))
        / (1 + np.exp(x - x.max(axis=-1, keepdims=True)).sum(axis=-1, keepdims=True))
"""
WAYS = read(TABLE, globals(), file=__file__)

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
