"""Values with other columns than queries and keys have."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import scale_of
from attncheck.questions.last_check import NEAR, deviation
from attncheck.subject import Refused


def ask_value_columns(case: Case) -> None:
    """Give the values half the columns, and twice as many: weights stay the same."""
    report = case.report
    if report.unexplained or report.facts["scale"] is None or case.unmeasured_places:
        return
    for d_v in (case.d // 2, 2 * case.d):
        off = _deviation(case, d_v)
        if off is not None and off.max() > NEAR:
            _tell(case, d_v, off)
            return


def _tell(case: Case, d_v: int, off: np.ndarray) -> None:
    """Add the problem; with its name, where a scale of √d_v explains the numbers."""
    before = case.model
    scale = scale_of(before.scale, case.d, case.heads) * (case.d / d_v) ** 0.5
    case.model = before.change(scale=scale)
    scaled = _deviation(case, d_v)
    case.model = before
    begins = f"With {case.d} columns of queries and keys, and {d_v} of values,"
    if scaled is not None and scaled.max() <= NEAR:
        words = f"{begins} scores are divided by √d_v, not by √d_k."
        _name_scale(case)
    else:
        words = f"{begins} outputs do not follow from the facts below."
    shown = {"off by, of the size of the output": float(off.max())}
    case.report.add("value-columns", words, **shown)


def _name_scale(case: Case) -> None:
    """Correct the name of the scale, which was found with as many columns of values."""
    report = case.report
    told = report.facts["scale_name"]
    if told not in ("1/√d_k", "1/d_k"):
        return
    report.facts["scale_name"] = named = told.replace("d_k", "d_v")
    report.sentences[:] = [
        line.replace(f" d_k = {case.d}: {told}", f" d_v = {case.d}: {named}")
        for line in report.sentences
    ]


def _deviation(case: Case, d_v: int) -> np.ndarray | None:
    """Compare with the facts; None where such values are refused."""
    try:
        return deviation(case, b=1, heads=case.heads, n=case.n, m=case.n, d_v=d_v)
    except Refused as error:
        name = f"values of {d_v} columns"
        case.report.details.setdefault("refused", {})[name] = str(error)
        if error.__cause__ is None:  # it took them, and gave something else
            case.report.notes.append(f"With {name}: {error}.")
        return None
