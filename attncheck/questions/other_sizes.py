"""The facts at other sizes: many tokens, a square key, columns that fill no block."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import SCALES
from attncheck.questions.cap import ask_order
from attncheck.questions.last_check import NEAR, OFF_BY, describe_far, deviation, near
from attncheck.questions.long_runs import LONG, tell_long
from attncheck.questions.scale import ODD
from attncheck.subject import Refused

FEW_AND_MANY = (8, 160)  # columns
EXACT = 1e-3  # of the output: what is as right as this is not wrong at all
# Problems that the model has too: with them, all else can still be compared.
MODELED = {"rows", "mask", "mask-leaks", "mask-begins-anew", "mask-lags"}
MODELED |= {"mask-offset", "mask-adds-keys", "mask-added", "grouping"}


def ask_other_sizes(case: Case) -> None:
    """Compare with the facts again, if they explained all numbers so far."""
    report, model = case.report, case.model
    told = {problem.code for problem in report.problems}
    if told - MODELED or report.unexplained or report.facts["scale"] is None:
        return
    if model.rotary is None and not model.biased_by_place:  # they were measured near by
        if not _ask_long(case):
            _ask_square(case)
        if model.softcap is not None and "cap_before_scale" not in report.details:
            ask_order(case)  # (it is not told before all else is)
        by_columns = "cap_before_scale" in report.details
        if model.factor == 1.0 and not by_columns:  # they may depend on the columns
            _ask_columns(case)
    elif model.slopes is not None and model.rotary is None and model.factor == 1.0:
        _ask_columns(case)


def _ask_long(case: Case) -> bool:
    """Many tokens: what several blocks of keys give has to be put together."""
    off = _deviation(case, LONG, LONG, case.d)
    if off is None or off.max() <= NEAR:
        return False
    shown = {OFF_BY: float(off.max())}
    tell_long(case, LONG, describe_far(case, off), **shown)
    return True


def _ask_square(case: Case) -> None:
    """As many tokens as columns: an axis that is told by its length is then lost."""
    off = _deviation(case, case.d, case.d, case.d)
    if off is None or off.max() <= NEAR:
        return
    case.report.add(
        "wrong-when-square",
        f"With as many tokens as columns ({case.d}) its outputs do not follow from the "
        "facts below, which explain all other numbers of tokens that were tried: "
        f"{describe_far(case, off)}. Does it tell an axis by its length?",
        **{OFF_BY: float(off.max())},
    )


def _ask_columns(case: Case) -> None:
    """Other columns than a power of two."""
    name, before = case.report.facts["scale_name"], case.model
    if name in SCALES:
        case.model = before.change(scale=name)
    elif not name.endswith("whatever d_k is"):
        return
    asked = ((columns, _deviation(case, case.n, case.n, columns)) for columns in ODD)
    odd = next(((c, x) for c, x in asked if x is not None), (0, None))
    others = ((c, _deviation(case, case.n, case.n, c)) for c in FEW_AND_MANY)
    for columns, off in (odd, *others):
        if off is not None and off.max() > near(case):
            shown = {OFF_BY: float(off.max())}
            case.report.add("columns", _words(case, columns, off), **shown)
            break
    case.model = before


def _words(case: Case, columns: int, off: np.ndarray) -> str:
    """Say which columns are wrong, and whether leaving some out explains it."""
    begins = f"With {columns} columns,"
    for block in (2, 4, 8, 16, 32, 64):
        used = columns - columns % block
        if used == columns:
            continue
        case.model = case.model.change(columns=(0, used))
        shorter = _deviation(case, case.n, case.n, columns)
        if shorter is not None and shorter.max() <= NEAR:
            rest = columns - used
            lost = "last is" if rest == 1 else f"last {rest} are"
            return f"{begins} the {lost} not multiplied for the scores."
    if off.shape[-1] != columns:
        return (
            f"With {columns} columns of queries and keys, and {case.d} of values, "
            "outputs do not follow from the facts below, which explain those with "
            f"{case.d} of each."
        )
    wrong = np.flatnonzero((off > EXACT).any((0, 1, 2)))
    where = f"those from {wrong[0]} on do not follow" if wrong[0] else "none follows"
    if wrong.size != columns - wrong[0]:
        where = f"{wrong.size} of them do not follow"
    return f"{begins} {where} from the facts below, which explain {case.d}."


def _deviation(case: Case, n: int, m: int, d: int) -> np.ndarray | None:
    """Return how far numbers are off; beside slopes, only scores have other columns."""
    d_v = d if case.model.slopes is None else case.d
    try:
        return deviation(case, b=1, heads=case.heads, n=n, m=m, d=d, d_v=d_v)
    except Refused:
        return None
