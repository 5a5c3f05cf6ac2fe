"""Signs: mistakes known by a property of the result rather than by its numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attncourse.practice.engine.compare import Judged
from attncourse.practice.engine.exercise import Exercise
from attncourse.practice.engine.report import Finding

ARITHMETIC = (OverflowError, ZeroDivisionError, FloatingPointError)


def overflow(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Finite for ordinary numbers, and not for large ones."""
    ordinary = [j for j in judged if not j.case.is_large and j.got is not None]
    if "overflow" in named or not any(_some_finite(j) for j in ordinary):
        return
    for one in judged:
        if not one.case.is_large:
            continue
        error, bad = one.outcome.error, _not_finite(one)
        crashed = error is not None and issubclass(error, ARITHMETIC)
        if crashed or bad:
            what = error.__name__ if crashed else f"{bad} numbers that are not finite"
            yield Finding(
                "overflow",
                f"For {one.case.described()}, finite but large, your function gives "
                f"{what}. exp(710) is too large for a float: look at what reaches the "
                "exponential.",
            )
            return


def _some_finite(one: Judged) -> bool:
    return any(bool(np.any(np.isfinite(x))) for x in one.got)


def _not_finite(one: Judged) -> int:
    return sum(int(np.sum(~np.isfinite(x))) for x in one.got or ())


def masked_rows(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Something other than zeros for a query that may attend to nothing."""
    masked = [j for j in judged if j.case.nothing_seen is not None and j.fits]
    for one in masked:
        rows = one.got[0][one.case.nothing_seen]
        others = one.got[0][~one.case.nothing_seen]
        at = f"For {one.case.described()}, a query that may attend to nothing"
        if np.any(np.isnan(rows)) and np.all(np.isfinite(others)):
            yield Finding(
                "nan-for-masked-row",
                f"{at} gets NaN, where zeros were due. Softmax of nothing but −∞ "
                "divides 0 by 0: look at what it should give there.",
            )
            return
    if any(code.startswith(("mask-", "score-")) for code in named):
        return
    for one in masked:
        rows = one.got[0][one.case.nothing_seen]
        if one.is_explained_by(one.wanted)[0] and not np.all(one.close(rows, 0 * rows)):
            yield Finding(
                "output-for-masked-row",
                f"For {one.case.described()}, a query that may attend to nothing gets "
                f"{rows.flat[0]:.4g} and so on, where zeros were due. All its hidden "
                "scores are equal, so they share the weight: look at that row.",
            )
            return
