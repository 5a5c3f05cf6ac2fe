"""What a query gets whose keys are all hidden."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import band
from attncheck.questions.masked_probes import weights_under


def emptied(case: Case, name: str, meaning: str) -> str:
    """Hide every key from one query, and read what it gets."""
    seen = np.ones((case.n, case.n), bool)
    seen[-1] = False
    if "mask-transposed" in {problem.code for problem in case.report.problems}:
        seen = seen.T
    means: dict[str, np.ndarray] = {"added": np.where(seen, 0, -np.inf)}
    means["may not attend"] = ~seen
    w = weights_under(case, name, means.get(meaning, seen))
    return "refused" if w is None else _read_empty(w[0, -1])


def _read_empty(row: np.ndarray) -> str:
    if not np.isfinite(row).all():
        return "nan"
    return "zeros" if np.abs(row).max() == 0 else "mean"


def own_empty(case: Case) -> str:
    """Find a query that its own mask leaves without a key."""
    for n, m in case.pictures:
        hidden = np.flatnonzero(~band(n, m, case.model).any(-1))
        if hidden.size:
            return _read_empty(case.probes.even(n, m)[0][hidden[0]])
    return "not reached"


def tell_empty(case: Case) -> None:
    """Say in words what such a query gets."""
    words = {
        "zeros": "A query that may attend to nothing gets zeros.",
        "nan": "A query that may attend to nothing gets NaN.",
        "mean": "A query that may attend to nothing gets a mean of all values.",
        "refused": "A mask that hides every key of a query is refused.",
    }
    said = words.get(case.report.facts["empty_row"])
    case.report.sentences += [said] if said else []
