"""Queries of 0, and scores that are exactly 0: to some masks, these are hidden."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case

SMALL = 0.05  # so that no weight vanishes, also where scores are cosines times 100


def ask_zero_scores(case: Case) -> None:
    """Where queries of 0 get NaN or zeros, ask whether any score of 0 is hidden."""
    told = case.report.facts["scale"] is not None and not case.report.unexplained
    if not case.probes.of_zero or case.by_query or not told:
        return
    n, d, gets = case.n, case.d, case.probes.of_zero
    seen = np.flatnonzero(case.allowed(n, n)[-1])
    if len(seen) < 2:
        return
    q, k = np.zeros((2, 1, case.heads, n, d))
    q[..., 0], k[..., 0], k[..., 1] = 1.0, SMALL, 1.0
    k[..., seen[0], 0] = 0.0  # at a right angle to every query
    row = case.probes.weights(q, k)[0, 0, -1]
    if np.isfinite(row).all() and row[seen[0]] == 0 and (row[seen[1:]] > 0).all():
        case.report.add(
            "zero-scores-hidden",
            "A key whose score is exactly 0 is hidden, as when a mask is read off "
            f"scores that were multiplied by it. A query of 0 gets {gets}.",
            **{"of keys": len(seen), "hidden": 1},
        )
        return
    case.report.but.append(f"a query of 0 gets {gets}")
