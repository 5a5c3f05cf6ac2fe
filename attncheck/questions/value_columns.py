"""Values with other columns than queries and keys have."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attncheck.case import Case
from attncheck.model import scale_of
from attncheck.questions.last_check import OFF_BY, deviation, near, surely_near
from attncheck.questions.long_runs import LONG
from attncheck.reading.where import describe
from attncheck.subject import Refused

CALLS = 3  # calls of one query: in some of them a cap, say, changes nothing
Factor = Callable[[int, int], float]
# What a scale that was found with d_v = d_k may be: its name, what it is divided by,
# and how it changes with d_v.
OF_VALUES: dict[str, tuple[str, str, Factor]] = {
    "1/√d_k": ("1/√d_v", "√d_v, not by √d_k", lambda d, d_v: (d / d_v) ** 0.5),
    "1/d_k": ("1/d_v", "d_v, not by d_k", lambda d, d_v: d / d_v),
    "1/√(2·d_k)": (
        "1/√(d_k + d_v)",
        "√(d_k + d_v), not by √d_k",
        lambda d, d_v: (2 * d / (d + d_v)) ** 0.5,
    ),
}


def ask_value_columns(case: Case) -> None:
    """Give the values half the columns, and twice as many: weights stay the same."""
    report = case.report
    if report.unexplained or report.facts["scale"] is None or case.unmeasured_places:
        return
    told = {problem.code for problem in report.problems}
    odd = [] if "columns" in told else [case.d // 2 + 1]
    for d_v in (case.d // 2, 2 * case.d, *odd):
        off = _deviation(case, d_v)
        if off is not None and off.max() > near(case):
            _tell(case, d_v, off)
            return
    if not _ask_many_tokens(case):
        _ask_one_query(case)


def _ask_many_tokens(case: Case) -> bool:
    """Ask again with several blocks of tokens, if as many columns are right there."""
    if case.unnamed or not _is_right(case, _deviation(case, case.d, LONG, LONG)):
        return False
    for d_v in (2 * case.d, case.d // 2):
        off = _deviation(case, d_v, LONG, LONG)
        if off is not None and not _is_right(case, off):
            where = describe(np.asarray(off > near(case)), "far off")
            case.report.add(
                "value-columns",
                f"With {LONG} tokens, {case.d} columns of queries and keys, and {d_v} "
                "of values, outputs do not follow from the facts below, which explain "
                f"those of {case.n}: {where}.",
            )
            return True
        if case.subject.few_shapes:  # which compiles every shape anew
            break
    return False


def _is_right(case: Case, off: np.ndarray | None) -> bool:
    return off is not None and bool(off.max() <= near(case))


def _ask_one_query(case: Case) -> None:
    """Give a single query, which may have code of its own, half the columns, too."""
    d_v = case.d // 2
    if case.unnamed:
        return
    fewer = _deviation(case, d_v, 1)
    if fewer is None or _is_right(case, fewer):
        return
    same = [_deviation(case, case.d, 1) for _ in range(CALLS)]
    if any(off is None or off.max() > surely_near(case) for off in same):
        return
    _, by, factor = OF_VALUES.get(case.report.facts["scale_name"], ("", "", None))
    words = "its outputs do not follow from the facts below, which explain those with"
    words = f"{words} {case.d} of each"
    if factor is not None and _explains(case, factor, d_v, 1):
        words = f"scores are divided by {by}"
    begins = f"With a single query, {case.d} columns of queries and keys, and {d_v} of"
    shown = {OFF_BY: float(fewer.max())}
    case.report.add("value-columns", f"{begins} values, {words}.", **shown)


def _tell(case: Case, d_v: int, off: np.ndarray) -> None:
    """Add the problem; with its cause, where a scale of d_v explains the numbers."""
    report, words = case.report, "outputs do not follow from the facts below"
    named, by, factor = OF_VALUES.get(report.facts["scale_name"], ("", "", None))
    if factor is not None:
        if _explains(case, factor, d_v):
            words = f"scores are divided by {by}"
        if all(_explains(case, factor, other) for other in (case.d // 4, 2 * case.d)):
            name_scale(case, named)
    begins = f"With {case.d} columns of queries and keys, and {d_v} of values,"
    shown = {OFF_BY: float(off.max())}
    report.add("value-columns", f"{begins} {words}.", **shown)


def _explains(case: Case, factor: Factor, d_v: int, n: int = 0) -> bool:
    """Say whether that scale explains so many columns of values, or none are taken."""
    before = case.model
    scale = scale_of(before.scale, case.d, case.heads) * factor(case.d, d_v)
    case.model = before.change(scale=scale)
    off = _deviation(case, d_v, n)
    case.model = before
    return off is None or bool(off.max() <= near(case))


def name_scale(case: Case, named: str) -> None:
    """Correct the name of the scale, which was found with as many columns of values."""
    report, told = case.report, case.report.facts["scale_name"]
    report.facts["scale_name"] = named
    report.sentences[:] = [
        line.replace(f" d_k = {case.d}: {told}", f" d_k = d_v = {case.d}: {named}")
        for line in report.sentences
    ]


def _deviation(case: Case, d_v: int, n: int = 0, m: int = 0) -> np.ndarray | None:
    """Compare with the facts; None where such values are refused."""
    try:
        shape = {"n": n or case.n, "m": m or case.n, "d_v": d_v}
        return deviation(case, b=1, heads=case.heads, **shape)
    except Refused as error:
        name = f"values of {d_v} columns"
        case.report.details.setdefault("refused", {})[name] = str(error)
        if error.__cause__ is None:  # it took them, and gave something else
            case.report.notes.append(f"With {name}: {error}.")
        return None
