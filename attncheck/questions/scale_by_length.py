"""A scale that depends on how many keys, or queries, there are."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.questions.measure import measure
from attncheck.questions.wrong_roles import loose
from attncheck.scales import fit_slope
from attncheck.subject import Refused

SAME = 0.01  # relative: closer than the scales of any two lengths


def scale_by_length(case: Case) -> str:
    """Say how the scale changes with the number of tokens; empty if it does not."""
    try:
        found = {m: _slope(case, m) for m in (case.many, 2 * case.many, 4 * case.many)}
    except Refused:
        return ""
    slopes = np.array(list(found.values()))
    if not np.isfinite(slopes).all() or _are_same(slopes):
        return ""
    shown = ", ".join(f"{slope:.4g} with {m}" for m, slope in found.items())
    which = _of_which(case, found)
    words = f"Its scale depends on the number of {which}: {shown}."
    if _are_same(slopes / np.log(list(found))):
        words += " It is proportional to the logarithm of that number."
    case.report.details |= {"scale_by_length": found, "scale_depends_on": which}
    return words


def _of_which(case: Case, found: dict[int, float]) -> str:
    """Say whether it is keys or queries that count: more keys than queries tell."""
    n, m = case.many, 2 * case.many
    try:
        slope = _slope(case, m, n)
    except Refused:
        return "tokens"
    for which, size in (("keys", m), ("queries", n)):
        if abs(slope / found[size] - 1) <= SAME:
            return which
    return "tokens"


def _slope(case: Case, m: int, n: int = 0) -> float:
    """Measure the scale with m keys, and as many queries or n; NaN if none shows."""
    q = case.probes.draw(1, case.heads, n or m, case.d, size=case.d**-0.5)
    k = case.probes.draw(1, case.heads, m, case.d)
    found = measure(case, q, k)
    fit = fit_slope(found.logs, found.dots, found.kept)
    return fit.slope if fit.left < loose(case) else np.nan


def _are_same(x: np.ndarray) -> bool:
    return bool(np.ptp(x) <= SAME * np.abs(x).max())
