"""Signs: mistakes known by a property of the result rather than by its numbers."""

from collections.abc import Iterator

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise
from named_mistakes.report import Finding

EXPONENTIAL = "exp(710) is too large for a float: look at what reaches the exponential."
LOGARITHM = (
    "exp(710) is too large for a float, and a probability below 5e-324 is stored as 0: "
    "look at what reaches the exponential, and at what reaches the logarithm."
)
START = " Does the largest so far begin at 0, which these rows never reach?"
ARITHMETIC = (OverflowError, ZeroDivisionError, FloatingPointError)


def overflow(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Finite for ordinary numbers, and not for large ones."""
    ordinary = [j for j in judged if not j.case.is_large and j.got is not None]
    if {"overflow", "log-of-zero"} & set(named):
        return
    if not any(_some_finite(j) for j in ordinary):
        return
    if any(_lost_among_counted(j) for j in ordinary):
        return  # NaN for ordinary numbers as well has another cause
    nothing_too_large = [j for j in judged if _lost_without_overflow(j)]
    if nothing_too_large:
        yield _divided_by_zero(nothing_too_large[0])
        return
    for one in judged:
        if not one.case.is_large or _comes_of_a_mistake(exercise, one, named):
            continue
        error, bad = one.outcome.error, _not_finite(one)
        stopped = error.__name__ if error and issubclass(error, ARITHMETIC) else ""
        if bad and _only_distant_rows_are_lost(one):
            yield _underflow(one)
            return
        if stopped or bad:
            gaps = f"{bad} numbers that are" if bad > 1 else "a number that is"
            what = stopped or f"{gaps} not finite"
            yield Finding(
                "overflow",
                f"For {one.case.described()}, finite but large, your function gives "
                f"{what}. {LOGARITHM if _all_infinite(one) else EXPONENTIAL}",
                about="large",
                explains=stopped_by_size(judged),
            )
            return


def stopped_by_size(judged: list[Judged]) -> tuple[str, ...]:
    """Name the crash as a mere consequence if nothing but large numbers stops it."""
    stopped = [j.case.is_large for j in judged if j.got is None]
    return ("crashed",) if all(stopped) else ()


def _all_infinite(one: Judged) -> bool:
    """Tell one number that is ∞ from NaN: a logarithm of 0 leaves the first."""
    return one.got is not None and all(x.ndim == 0 and np.isinf(x) for x in one.got)


def _lost_among_counted(one: Judged) -> bool:
    """Tell whether a number is not finite, in a row that may attend to something."""
    return any(bool(np.any(~np.isfinite(x) & one.counted(x))) for x in one.got)


def _comes_of_a_mistake(exercise: Exercise, one: Judged, named: list[str]) -> bool:
    """Tell whether a mistake that was named is not finite in the same places."""
    if not one.fits or not _not_finite(one):
        return False
    for mistake in (m for m in exercise.mistakes if m.code in named):
        try:
            given = exercise.mistaken(one.case, mistake.steps)
        except (ValueError, IndexError):  # it cannot be made with these shapes
            continue
        pairs = zip(one.got, given, strict=True)
        if all(np.array_equal(np.isfinite(x), np.isfinite(g)) for x, g in pairs):
            return True
    return False


def _only_distant_rows_are_lost(one: Judged) -> bool:
    """Tell whether the row with the largest score came out, and lower rows did not.

    That is what one maximum for all rows does: far below it every exponential is 0.
    """
    scores = _scores(one.case)
    if scores is None or not one.fits or one.got[0].shape[:-1] != scores.shape[:-1]:
        return False
    largest = scores.max(axis=-1)
    lost = ~np.isfinite(one.got[0]).all(axis=-1)
    if lost.all() or not lost.any():
        return False
    fine = np.all(one.close(one.got[0], one.wanted[0])[~lost])
    return bool(fine and largest[~lost].min() > largest[lost].max())


def _scores(case: Case) -> np.ndarray | None:
    """Compute the scores of a case: given, or from queries and keys."""
    if "x" in case.inputs and "w_query" not in case.inputs:
        return case.inputs["x"]
    if "query" in case.inputs:
        query, key = case.inputs["query"], case.inputs["key"]
        return query @ key.mT / np.sqrt(query.shape[-1])
    return None


def _underflow(one: Judged) -> Finding:
    is_nan = bool(np.isnan(one.got[0]).any())
    what = "0 / 0 is NaN" if is_nan else "the logarithm of their sum is −∞"
    return Finding(
        "underflow",
        f"For {one.case.described()}, finite but large, the row with the largest score "
        f"is fine and {_not_finite(one)} numbers of other rows are not finite. Their "
        f"scores lie so far below that every exponential is 0, and {what}: subtract "
        f"each row's own largest score.{START if _all_below_zero(one) else ''}",
        about="large",
    )


def _lost_without_overflow(one: Judged) -> bool:
    """Tell whether something is lost where every score has a finite exponential."""
    scores = _scores(one.case) if one.case.is_large else None
    return scores is not None and np.abs(scores).max() < 700 and _not_finite(one) > 0


def _divided_by_zero(one: Judged) -> Finding:
    return Finding(
        "divided-by-zero",
        f"For {one.case.described()}, your function gives {_not_finite(one)} numbers "
        "that are not finite, and no exponential is too large there. Look at what you "
        "divide by: does it hold all that was collected? Far below the largest score "
        "exponentials are 0.",
        about="large",
    )


def _all_below_zero(one: Judged) -> bool:
    """Tell whether just those rows are lost whose every exponential is 0 as it is."""
    lost, scores = ~np.isfinite(one.got[0]).all(axis=-1), _scores(one.case)
    return scores is not None and np.array_equal(lost, scores.max(axis=-1) < -745)


def _some_finite(one: Judged) -> bool:
    return any(bool(np.any(np.isfinite(x))) for x in one.got)


def _not_finite(one: Judged) -> int:
    return sum(int(np.sum(~np.isfinite(x))) for x in one.got or ())


def zero_times_infinity(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Give NaN everywhere as soon as there is a mask."""
    masked = [j for j in judged if j.case.inputs["mask"] is not None and j.fits]
    if masked and all(np.isnan(j.got[0]).all() for j in masked):
        one = min(masked, key=lambda j: j.case.order)
        yield Finding(
            "zero-times-infinity",
            f"For {one.case.described()} every number of your output is NaN, also "
            "where nothing is hidden. 0 · ∞ is NaN: look at how a hidden score gets "
            "its −∞, by a choice or by a product.",
            explains=("nan",),
        )


def masked_rows(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Something other than zeros for a query that may attend to nothing."""
    if "first-keys-hidden" in named:  # that query is one of them
        return
    masked = [j for j in judged if j.case.special_rows is not None and j.fits]
    for one in masked:
        special = np.asarray(one.case.special_rows)
        rows, others = one.got[0][special], one.got[0][~special]
        at = f"For {one.case.described()}, a query that may attend to nothing"
        if np.any(np.isnan(rows)) and np.all(np.isfinite(others)):
            yield Finding(
                "nan-for-masked-row",
                f"{at} gets NaN, where zeros were expected. Softmax of nothing but −∞ "
                "divides 0 by 0: look at what it should give there.",
                about="rows",
            )
            return
    if any(code.startswith(("mask-", "score-")) for code in named):
        return
    for one in masked:
        rows = one.got[0][one.case.special_rows]
        if one.is_explained_by(one.wanted)[0] and not np.all(one.close(rows, 0 * rows)):
            yield Finding(
                "output-for-masked-row",
                f"For {one.case.described()}, a query that may attend to nothing gets "
                f"{rows.flat[0]:.4g} and so on, where zeros were expected. "
                f"{_shared(one, rows)}ook at that row.",
                about="rows",
            )
            return


def _shared(one: Judged, rows: np.ndarray) -> str:
    """Say where the mean of all values comes from, if that is what stands there."""
    given = one.case.inputs
    value = given["value"] if "value" in given else given["x"] @ given["w_value"]
    value = value @ given["w_output"] if "w_output" in given else value
    means = np.broadcast_to(value.mean(axis=-2, keepdims=True), one.got[0].shape)
    if not np.all(one.close(rows, means[one.case.special_rows])):
        return "L"
    return (
        "All its scores are equally low, and softmax only compares them with each "
        "other, so they share the weight: l"
    )
