"""log_softmax: logarithms of weights, finite where the weights themselves are 0."""

from collections.abc import Iterator

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.exercises import softmax
from attncourse.practice.mistakes.overflow_and_masked_rows import (
    overflow,
    stopped_by_size,
)
from named_mistakes.cases import case
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise
from named_mistakes.report import Finding


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


# What math.log says of 0, in older and in newer Pythons.
OF_ZERO = ("math domain error", "expected a positive input")


def log_of_zero(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Tell −∞, or a crash, where a weight is too small to be stored."""
    ordinary = [j for j in judged if not j.case.is_large and j.got is not None]
    for one in judged:
        what = _lost(one) if one.case.is_large and ordinary else ""
        if what:
            yield Finding(
                "log-of-zero",
                f"For {one.case.described()}, finite but large, your function gives "
                f"{what}. A weight far below 5e-324 is stored as 0, and its logarithm "
                "is −∞: look at what reaches the logarithm.",
                about="large",
                explains=stopped_by_size(judged),
            )


def _lost(one: Judged) -> str:
    """Say what became of small weights, where the largest of each row came out."""
    said = one.outcome.note.partition(" (line ")[0]  # a logarithm may stand in the line
    if one.outcome.error is ValueError and any(words in said for words in OF_ZERO):
        return "a ValueError"
    if not one.fits:
        return ""
    finite, gone = np.isfinite(one.got[0]), one.got[0] == -np.inf
    if gone.any() and finite.any(axis=-1).all():
        return f"−∞ in {gone.sum()} of {gone.size} places"
    return ""


def floor(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Tell one and the same number wherever logarithms far below it are expected."""
    if not all(_nearly_right(j) for j in judged if not j.case.is_large):
        return
    for one in judged:
        if not one.case.is_large or not one.fits:
            continue
        far = one.wanted[0] < -1000  # no weight so small can be stored
        low = one.got[0][far]
        if np.isfinite(low).all() and np.ptp(low) == 0:
            code, meaning = _what_stands_there(low[0])
            yield Finding(
                code,
                f"For {one.case.described()}, finite but large, {low.size} numbers "
                f"expected at {one.wanted[0][far].max():.0f} and below all come back "
                f"as {low[0]:.4g}. {meaning}",
                about="large",
            )


def _nearly_right(one: Judged) -> bool:
    return one.fits and bool(np.allclose(one.got[0], one.wanted[0], atol=0.1))


def _what_stands_there(low: float) -> tuple[str, str]:
    if low < -745:  # the logarithm of the smallest number there is
        return "log-of-zero", (
            "It stands in for −∞, the logarithm of a weight that is stored as 0: look "
            "at what reaches the logarithm."
        )
    return "floor-under-logarithm", (
        "That is the logarithm of a floor under the weights: look for the small number "
        "that keeps them above 0."
    )


def _shifted(x: np.ndarray) -> np.ndarray:
    return x - x.max(axis=-1, keepdims=True)


def _log_total(x: np.ndarray, axis: int = -1) -> np.ndarray:
    return x - log_softmax(x, axis)


RECIPE = {"logs": lambda s: log_softmax(s.x), "output": lambda s: s.logs}
TABLE = """
from attncourse.practice.mistakes import normalization

SUM = what is subtracted from a score: it comes from all the scores of its row
FRACTION = the logarithm of a fraction: what becomes of the sum below the line
BASE = the base of the logarithm: it has to undo exp

logs | wrong-axis | {normalization.AXIS}
    for axis in 0, 1, -2, -3: for scores in x, _shifted(x):
        weights that add up to 1 along axis {axis} = log_softmax({scores}, {axis})

logs | normalized-over-everything | {normalization.AXIS}
    for axis in None, (-2, -1): for scores in x, _shifted(x):
        one sum over several rows = log_softmax({scores}, {axis})

logs | not-normalized | {SUM}
    scores left as they are = x
    subtracting the largest score and nothing else = _shifted(x)

logs | sum-left-out | {SUM}
    leaving out the sum where a weight is too small to be stored =
        np.where(np.exp(log_softmax(x)) == 0, _shifted(x), log_softmax(x))

logs | sum-without-log | {FRACTION}
    for scores in x, _shifted(x): subtracting the sum itself =
        {scores} - np.exp({scores}).sum(axis=-1, keepdims=True)

logs | no-exponential | what is added up: exponentials, not the scores
    a sum of the scores themselves =
        x - np.log(x.sum(axis=-1, keepdims=True))
    shares of the scores themselves = np.log(x / x.sum(axis=-1, keepdims=True))

logs | largest-left-in | the score outside of the exponential: is the largest subtracted
        there too?
    subtracting the largest score in one place only = x - _log_total(_shifted(x))
    subtracting the largest score twice outside of the exponential =
        log_softmax(x) - x.max(axis=-1, keepdims=True)

logs | sum-added | {FRACTION}
    for scores in x, _shifted(x):
        adding the logarithm of the sum = {scores} + _log_total({scores})

logs | divided-by-the-logarithm | the logarithm of a fraction: it is a difference
    for scores in x, _shifted(x):
        dividing by the logarithm of the sum = {scores} / _log_total({scores})

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
    for scores in x, _shifted(x): adding 1 to the sum before the logarithm =
        {scores} - np.log1p(np.exp({scores}).sum(axis=-1, keepdims=True))

logs | floor-under-logarithm | the small number that keeps shares above 0: a logarithm
        may be far below 0
    for n in 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-20:
        {n} added to the share = np.log(np.exp(log_softmax(x)) + {n})

logs | other-base | {BASE}
    for n in 2, 10: for scores in x, _shifted(x): a logarithm of base {n} of the sum
        alone = {scores} - _log_total({scores}) / np.log({n})

logs | softmax-twice | how often softmax is applied: once to each row of scores
    softmax on top of softmax = log_softmax(np.exp(log_softmax(x)))

logs | keepdims-forgotten | the shape of the sums: (n, 1) belongs to rows, (n,) to
        columns
    for scores in x, _shifted(x):
        row sums that have lost their axis =
        {scores} - _log_total({scores})[..., 0]

output | softmax-without-log | the last step: the logarithm of a share is never above 0
    stopping at the weights = np.exp(logs)

output | sign-flipped | the sign: the logarithm of a share is never above 0
    a minus before the logarithm = -logs

output | other-base | {BASE}
    for n in 2, 10: a logarithm of base {n} = logs / np.log({n})
"""

EXERCISE = exercise(
    globals(), log_softmax, RECIPE, signs=(log_of_zero, overflow, floor)
)
