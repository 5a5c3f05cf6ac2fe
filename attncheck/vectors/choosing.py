"""Right outputs with their tolerances, and the cases that catch something new."""

from __future__ import annotations

import numpy as np

from attncheck.formats import FORMATS
from attncheck.model import ALL, LARGE, Attended, Model, Value, attend
from attncheck.rounding import tolerance
from attncheck.vectors.candidates import candidates
from attncheck.vectors.case import Case

TOLERANCES = ("float32", "float16", "bfloat16")


def right(case: Case, arrays: dict[str, np.ndarray]) -> Attended:
    """Compute the right output, and what its tolerances depend on."""
    return _compute(case.model(arrays), arrays)


def _compute(model: Model, arrays: dict[str, np.ndarray]) -> Attended:
    return attend(arrays["query"], arrays["key"], arrays["value"], model)


def tolerances(case: Case, arrays: dict[str, np.ndarray]) -> dict[str, float]:
    """Return how far a right output may be off, in each format."""
    found = right(case, arrays)
    return {name: float(tolerance(found, FORMATS[name]).max()) for name in TOLERANCES}


def caught(case: Case, mistakes: tuple[Value, ...]) -> list[str]:
    """Return the mistakes that a case shows, by more than twice float32's tolerance."""
    arrays = case.arrays()
    limit = 2 * tolerances(case, arrays)["float32"]
    expected, found = right(case, arrays).output, []
    for mistake in mistakes:
        changed = mistake.change(case.model(arrays), case.sizes)
        if changed is None:
            continue
        with np.errstate(all="ignore"):
            output = _compute(changed, arrays).output
        if not np.all(np.abs(output - expected) <= limit):
            found.append(mistake.code)
    return found


def choose() -> list[Case]:
    """Keep the cases that catch a mistake which no smaller one does."""
    known: set[str] = set()
    kept = []
    for case in candidates():
        case.catches = caught(case, (*ALL, *LARGE))
        if set(case.catches) - known:
            known |= set(case.catches)
            kept.append(case)
    return kept
