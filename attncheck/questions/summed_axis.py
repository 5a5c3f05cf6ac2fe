"""Which sums of the weights are 1: those of rows or of columns."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.subject import Refused

NEGATIVE = 0.01  # of the largest weight


def ask_axis(case: Case) -> None:
    """Ask which sums of the weights are 1, the rows' or the columns'."""
    shape = (1, case.heads, case.many, case.d)
    q, k = case.probes.draw(*shape), case.probes.draw(*shape)
    w = case.probes.weights(q, k)
    lowest, highest = (float(x(w[np.isfinite(w)], initial=0)) for x in (np.min, np.max))
    if -lowest > NEGATIVE * max(highest, -lowest):
        case.done = (
            f"Some of its weights are negative, down to {lowest:.3g}: those of a "
            "softmax are not."
        )
        return
    rows, columns = w.sum(-1), w.sum(-2)
    near = 5 * case.tolerance
    finite = np.isfinite(columns).all()
    by_column = finite and (np.abs(columns - 1) < near).mean() > 0.9
    by_row = (np.abs(rows - 1) < near).mean() > 0.9
    case.by_query = bool(by_column and not by_row)
    by_head = finite and (np.abs(w.sum(1) - 1) < near).mean() > 0.9
    if case.heads > 1 and by_head and not by_row and not by_column:
        over = "heads" if _is_over_heads(case, near) else "heads of all sentences"
        case.report.facts["normalized"] = "no"
        case.report.add(
            "rows",
            f"Softmax runs over the {over}: there, the weights of a query and a key "
            "add up to 1.",
            **{"smallest sum": float(rows.min()), "largest": float(rows.max())},
        )
        case.report.details["softmax_over"] = "heads"
        case.done = "Its weights are shared out among heads."


def _is_over_heads(case: Case, near: float) -> bool:
    """Say whether sums over the heads of one sentence of two are 1 already."""
    shape = (2, case.heads, case.n, case.d)
    try:
        w = case.probes.weights(case.probes.draw(*shape), case.probes.draw(*shape))
    except Refused:
        return True
    return bool((np.abs(w.sum(1) - 1) < near).mean() > 0.9)
