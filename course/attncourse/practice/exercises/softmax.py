"""softmax over the last axis: scores become weights."""

from collections.abc import Iterator

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.mistakes.normalization import AXIS, stable
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attnlib.probabilities import softmax
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise
from named_mistakes.patterns import one_step_more
from named_mistakes.report import Finding


def draw(rng: np.random.Generator) -> list[Case]:
    """Scores of ordinary size, and rows of large ones far apart."""
    n, m, batch = sizes(rng, 3)
    rows = np.array([-3000.0, 0.0, 2500.0])[:, None]
    spread = rng.permutation([-1600.0, 0.0, 30.0, 40.0, 1500.0])
    return [
        case("a matrix", x=normal(rng, n, m)),
        case("a square matrix", x=normal(rng, n, n)),
        case("a batch", x=normal(rng, batch, n, m)),
        case("a batch of squares", x=normal(rng, *CUBE)),
        case("two axes of batches", x=normal(rng, 2, batch, n, m)),
        case("a single row", x=normal(rng, m)),
        case("large scores", x=rows + spread + rng.integers(0, 9, 5), is_large=True),
    ]


def _place(at: int, shape: tuple[int, ...]) -> str:
    return ", ".join(str(int(k)) for k in np.unravel_index(at, shape))


NEARLY = 0.05  # what rounding to two decimals does to a row, or a small number added


def sums(
    exercise: Exercise, judged: list[Judged], named: list[str], *, are_all: bool = True
) -> Iterator:
    """Judge positive rows by what they add up to, whatever the formula.

    Where these are all the cases, one step too many is left to those who name it.
    """
    ours = {
        *("wrong-axis", "normalized-over-everything", "not-normalized"),
        *("keepdims-forgotten", "softmax-twice", "largest-left-in"),
    }
    plain_ones = [j for j in judged if j.fits and not j.case.is_large]
    wrong = [j for j in plain_ones if not j.right and _are_weights(j.got[0])]
    if ours & set(named) or not wrong or len(wrong) < len(plain_ones):
        return
    totals = wrong[0].got[0].sum(axis=-1)
    off = np.abs(totals - 1)
    if _is_one(totals) or (
        are_all and off.max() < NEARLY and _has_step(exercise, judged)
    ):
        return
    at = 0 if off.flat[0] > 1e-2 else int(off.argmax())
    row = "first row" if at == 0 else f"row {_place(at, off.shape)}"
    case = wrong[0].case.described()
    seen = f"For {case} your {row} adds up to {totals.flat[at]:.4g}"
    yield (
        _nearly(seen) if off.max() < NEARLY else _elsewhere(f"{seen}, not to 1", wrong)
    )


def _has_step(exercise: Exercise, judged: list[Judged]) -> bool:
    return one_step_more(exercise, judged) is not None


def _nearly(seen: str) -> Finding:
    return Finding(
        "not-normalized",
        f"{seen}, nearly 1 and not quite. Look for numbers that are rounded, or for a "
        "small number that is added to what you divide by.",
    )


def _elsewhere(seen: str, wrong: list[Judged]) -> Finding:
    """Say along which axis the sums are 1, or that they are along none."""
    given = [j.got[0] for j in wrong]
    for axis in (0, 1, -2):
        if all(_is_one(x.sum(axis=axis)) for x in given):
            told = f"along axis {axis} the sums are 1"
            return Finding("wrong-axis", f"{seen}; {told}. Look at {AXIS}.")
    if all(_is_one(x.sum()) for x in given):
        told = "all the numbers together do"
        return Finding("normalized-over-everything", f"{seen}; {told}. Look at {AXIS}.")
    return Finding(
        "not-normalized",
        f"{seen}, and no other axis does either. Positive numbers become shares when "
        "they are divided by their sum; look at that step.",
    )


def clipped(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Tell scores that were limited: far apart, they get the same weight."""
    for one in judged:
        if not one.case.is_large or not one.fits or one.right:
            continue
        x = one.got[0][np.isfinite(one.got[0]).all(axis=-1)]  # rows that came out
        best = (x == x.max(axis=-1, keepdims=True)).sum(axis=-1)
        if _is_one(x.sum(axis=-1)) and np.any(best > 1):
            yield Finding(
                "scores-clipped",
                f"For {one.case.described()}, finite but large, scores that lie "
                "hundreds apart get the same weight. Look for a limit that you put on "
                "the scores: only the distance to the largest of a row may count.",
                about="large",
                explains=("underflow", "overflow"),
            )
            return


def _are_weights(x: np.ndarray) -> bool:
    """Tell whether no number is negative, and no row nothing but zeros."""
    return bool(np.all(x >= 0) and np.all(x.sum(axis=-1) > 0))


def _is_one(total: np.ndarray) -> bool:
    return bool(np.allclose(total, 1.0, rtol=1e-3))


RECIPE = {"weights": lambda s: stable(s.x)}
TABLE = """
from attncourse.practice.mistakes.normalization import in_place_of

include in_place_of("weights", "x")

weights | log-softmax | the last step: weights lie between 0 and 1
    leaving the logarithm in = np.log(stable(x))

weights | scaled | what is asked: softmax of the scores as they are
    dividing the scores by the root of their number first =
        stable(x / x.shape[-1] ** 0.5)
    dividing the scores by their number first = stable(x / x.shape[-1])

weights | no-exponential | what is done to a score first: the exponential, before any
        sum
    dividing the distances to the smallest score, plus 1, by their sum =
        (x - x.min(axis=-1, keepdims=True) + 1)
        / (x - x.min(axis=-1, keepdims=True) + 1).sum(axis=-1, keepdims=True)

weights | winner-takes-all | what is left for the others: every finite score gets a
        share
    giving all the weight to the largest score =
        (x == x.max(axis=-1, keepdims=True)) * 1.0
"""

EXERCISE = exercise(
    globals(), softmax, RECIPE, signs=(sums, clipped, overflow), returns=("weights",)
)
