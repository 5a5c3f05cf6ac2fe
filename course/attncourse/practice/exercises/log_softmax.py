"""log_softmax: logarithms of weights, finite where the weights themselves are 0."""

from __future__ import annotations

import numpy as np

from attncourse.practice.exercises import softmax
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.underflow import floor, log_of_zero
from named_mistakes.cases import case
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read


def draw(rng: np.random.Generator) -> list[Case]:
    """Scores as for softmax, and large ones whose sum of exponentials is not 1."""
    close = rng.permutation([-1600.0, 0.0, 1499.0, 1499.5, 1500.0])
    rows = np.array([-3000.0, 0.0, 2500.0])[:, None]
    near = case("large scores close together", x=rows + close, is_large=True)
    return [*softmax.draw(rng), near]


def log_softmax(x: np.ndarray, axis: int | tuple[int, ...] | None = -1) -> np.ndarray:
    """Compute the logarithm of softmax: xᵢ − log Σⱼ exp(xⱼ)."""
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def _shifted(x: np.ndarray) -> np.ndarray:
    return x - x.max(axis=-1, keepdims=True)


def _log_total(x: np.ndarray, axis: int = -1) -> np.ndarray:
    return x - log_softmax(x, axis)


def _plain_sum(x: np.ndarray) -> np.ndarray:
    return x - np.exp(x).sum(axis=-1, keepdims=True)


def _keepdims_forgotten(x: np.ndarray) -> np.ndarray:
    return x - _log_total(x)[..., 0]


def _largest_left_in(x: np.ndarray) -> np.ndarray:
    return x - _log_total(_shifted(x))


def _no_exponential(x: np.ndarray) -> np.ndarray:
    return x - np.log(x.sum(axis=-1, keepdims=True))


def _log_of_plain_shares(x: np.ndarray) -> np.ndarray:
    return np.log(x / x.sum(axis=-1, keepdims=True))


RECIPE = {"logs": lambda s: log_softmax(s.x), "output": lambda s: s.logs}
TABLE = """
from attncourse.practice.mistakes import normalization

SUM = what is subtracted from a score: it comes from all the scores of its row
FRACTION = the logarithm of a fraction: what becomes of the sum below the line
BASE = the base of the logarithm: it has to undo exp

logs | wrong-axis | {normalization.AXIS}
    weights that add up to 1 along axis 0 = log_softmax(x, 0)
    weights that add up to 1 along axis 0 = log_softmax(_shifted(x), 0)
    weights that add up to 1 along axis 1 = log_softmax(x, 1)
    weights that add up to 1 along axis 1 = log_softmax(_shifted(x), 1)
    weights that add up to 1 along axis -2 = log_softmax(x, -2)
    weights that add up to 1 along axis -2 = log_softmax(_shifted(x), -2)
    weights that add up to 1 along axis -3 = log_softmax(x, -3)
    weights that add up to 1 along axis -3 = log_softmax(_shifted(x), -3)

logs | normalized-over-everything | {normalization.AXIS}
    one sum over several rows = log_softmax(x, None)
    one sum over several rows = log_softmax(_shifted(x), None)
    one sum over several rows = log_softmax(x, (-2, -1))
    one sum over several rows = log_softmax(_shifted(x), (-2, -1))

logs | not-normalized | {SUM}
    scores left as they are = x
    subtracting the largest score and nothing else = _shifted(x)

logs | sum-left-out | {SUM}
    leaving out the sum where a weight is too small to be stored =
        np.where(np.exp(log_softmax(x)) == 0, _shifted(x), log_softmax(x))

logs | sum-without-log | {FRACTION}
    subtracting the sum itself = _plain_sum(x)
    subtracting the sum itself = _plain_sum(_shifted(x))

logs | no-exponential | what is added up: exponentials, not the scores
    a sum of the scores themselves = _no_exponential(x)
    shares of the scores themselves = _log_of_plain_shares(x)

logs | largest-left-in | the score outside of the exponential: is the largest subtracted
        there too?
    subtracting the largest score in one place only = _largest_left_in(x)
    subtracting the largest score twice outside of the exponential =
        log_softmax(x) - x.max(axis=-1, keepdims=True)

logs | sum-added | {FRACTION}
    adding the logarithm of the sum = x + _log_total(x)
    adding the logarithm of the sum = _shifted(x) + _log_total(_shifted(x))

logs | divided-by-the-logarithm | the logarithm of a fraction: it is a difference
    dividing by the logarithm of the sum = x / _log_total(x)
    dividing by the logarithm of the sum = _shifted(x) / _log_total(_shifted(x))

logs | mean-instead-of-sum | what is below the line: the sum of all exponentials
    the mean of the exponentials = log_softmax(x) + np.log(x.shape[-1])

logs | sum-of-logarithms | the order: the exponentials are added up, and then comes the
        logarithm
    subtracting the sum of the scores = x - x.sum(-1, keepdims=True)
    subtracting the sum of the scores, each less the largest =
        _shifted(x) - _shifted(x).sum(axis=-1, keepdims=True)

logs | one-added | what the logarithm is taken of: the share itself
    adding 1 to a share before the logarithm, as np.log1p does =
        np.log1p(np.exp(log_softmax(x)))
    adding 1 to the sum before the logarithm =
        x - np.log1p(np.exp(x).sum(axis=-1, keepdims=True))
    adding 1 to the sum before the logarithm =
        _shifted(x) - np.log1p(np.exp(_shifted(x)).sum(axis=-1, keepdims=True))

logs | floor-under-logarithm | the small number that keeps shares above 0: a logarithm
        may
        be far below 0
    1e-3 added to the share = np.log(np.exp(log_softmax(x)) + 1e-3)
    1e-4 added to the share = np.log(np.exp(log_softmax(x)) + 1e-4)
    1e-5 added to the share = np.log(np.exp(log_softmax(x)) + 1e-5)
    1e-6 added to the share = np.log(np.exp(log_softmax(x)) + 1e-6)
    1e-7 added to the share = np.log(np.exp(log_softmax(x)) + 1e-7)
    1e-8 added to the share = np.log(np.exp(log_softmax(x)) + 1e-8)
    1e-9 added to the share = np.log(np.exp(log_softmax(x)) + 1e-9)
    1e-10 added to the share = np.log(np.exp(log_softmax(x)) + 1e-10)
    1e-12 added to the share = np.log(np.exp(log_softmax(x)) + 1e-12)
    1e-15 added to the share = np.log(np.exp(log_softmax(x)) + 1e-15)
    1e-20 added to the share = np.log(np.exp(log_softmax(x)) + 1e-20)

logs | other-base | {BASE}
    a logarithm of base 2 of the sum alone = x - _log_total(x) / np.log(2)
    a logarithm of base 2 of the sum alone =
        _shifted(x) - _log_total(_shifted(x)) / np.log(2)
    a logarithm of base 10 of the sum alone = x - _log_total(x) / np.log(10)
    a logarithm of base 10 of the sum alone =
        _shifted(x) - _log_total(_shifted(x)) / np.log(10)

logs | softmax-twice | how often softmax is applied: once to each row of scores
    softmax on top of softmax = log_softmax(np.exp(log_softmax(x)))

logs | keepdims-forgotten | the shape of the sums: (n, 1) belongs to rows, (n,) to
        columns
    row sums that have lost their axis = _keepdims_forgotten(x)
    row sums that have lost their axis = _keepdims_forgotten(_shifted(x))

output | softmax-without-log | the last step: the logarithm of a share is never above 0
    stopping at the weights = np.exp(logs)

output | sign-flipped | the sign: the logarithm of a share is never above 0
    a minus before the logarithm = -logs

output | other-base | {BASE}
    a logarithm of base 2 = logs / np.log(2)
    a logarithm of base 10 = logs / np.log(10)
"""
MISTAKES = read(TABLE, globals(), RECIPE, file=__file__)

EXERCISES = (
    Exercise(
        "log_softmax",
        log_softmax,
        draw,
        RECIPE,
        MISTAKES,
        signs=(log_of_zero, overflow, floor),
    ),
)
