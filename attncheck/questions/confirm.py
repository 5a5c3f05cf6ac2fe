"""Before anything is said, compute it again as described, and compare.

What was fitted on probes made for it is computed again here, on fresh general inputs of
other sizes. Where the function does otherwise, what was fitted is withdrawn.
"""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.questions.few_tokens import ask_few_tokens
from attncheck.questions.last_check import NEAR, deviation, surely_near
from attncheck.questions.many_keys import ask_many_keys, tell_sinks
from attncheck.questions.masked_runs import ask_masked_runs
from attncheck.questions.rotary_offset import ask_offset
from attncheck.questions.withdrawing import withdraw
from attncheck.reading.where import describe
from attncheck.subject import Refused

# What is said holds for few tokens.
LIMITED = {"tail-dropped", "wrong-when-long", "blocks"}
OF_SIZES = {*LIMITED, "wrong-at-some-sizes", "wrong-when-square"}
FEW = 0.01  # of the numbers
FAR = 3.0  # of scores: where rounding leaves room for it


def confirm(case: Case) -> None:
    """Compare with the model once more; withdraw what it does not bear out."""
    report = case.report
    if "mistakes" in report.details:  # they explained three runs of their own
        return
    told = report.facts["scale"] is not None and not case.unmeasured_places
    if told and not report.unexplained:
        ask_offset(case)
        report.unexplained = _differs(case)
        if report.unexplained and tell_sinks(case):
            report.unexplained = ""
        few = LIMITED & {problem.code for problem in report.problems}
        if not report.unexplained and few <= {"wrong-when-long"}:
            ask_few_tokens(case)
            if not few:
                ask_many_keys(case)
            ask_masked_runs(case)
    if report.unexplained:
        withdraw(report)
    elif told:
        _limit(case)


def _limit(case: Case) -> None:
    """Head the facts with a number of tokens, if others do not follow from them."""
    codes = {problem.code for problem in case.report.problems}
    if not codes & OF_SIZES or "facts_of_tokens" in case.report.details:
        return
    before, case.model = case.model, case.model.change(lost=None)
    for n in (case.n, 2 * case.n, 4 * case.n):
        try:
            off = deviation(case, b=1, heads=case.heads, n=n, m=n)
        except Refused:
            break
        if off.max() > surely_near(case):
            break
        case.report.details["facts_of_tokens"] = n
    case.model = before


def _near(case: Case, size: float) -> float:
    """Return the largest error, of the output's size, that is still the same.

    It grows with the size of the scores: a function of float32 may compute them in 8
    bits, which is told elsewhere.
    """
    bits = case.subject.format.bits
    return size / 100 if bits > 11 else NEAR if bits > 8 else 2 * NEAR


def _is_rounding(case: Case, off: np.ndarray, wrong: np.ndarray) -> bool:
    """Say whether few numbers are wrong, and by little, where formats are narrower."""
    coarse = "coarse" in case.report.details
    return bool(coarse and wrong.mean() < FEW and off.max() < 2 * NEAR)


def _differs(case: Case) -> str:
    """Say at which sizes, and where, it gives other numbers; empty if nowhere."""
    n = case.n
    few = LIMITED & {problem.code for problem in case.report.problems}
    sizes = [(n, n), (n, 2 * n), *([] if few else [(4 * n, 4 * n)])]
    corners = "corner_with_more_queries" in case.report.details
    if case.model.rotary is None and not corners:  # (else places mean nothing there)
        sizes.insert(2, (2 * n, n))
    if case.model.window[0] is not None:  # (n, 2n) are too few keys for wide ones
        sizes.insert(2, (2 * n, 4 * n))
    for rows, columns in sizes:
        for size in (1.0, FAR) if case.subject.format.bits > 11 else (1.0,):
            try:
                off = deviation(
                    case, b=1, heads=case.heads, n=rows, m=columns, size=size
                )
            except Refused:
                break
            wrong = np.asarray(off > _near(case, size))
            if wrong.any() and not _is_rounding(case, off, wrong):
                return (
                    "What single probes showed does not explain its outputs for "
                    f"{rows} queries and {columns} keys: {describe(wrong, 'far off')}."
                )
    return ""
