"""Is a mask kept from call to call? Numbers of tokens that are new to it tell."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import band
from attncheck.subject import Refused

# Numbers of queries and keys that no other question asks about.
NEW, KNOWN = (19, 43), (23, 47)


def ask_kept_mask(case: Case) -> None:
    """Give queries and keys of which there was no call with as many of both before.

    A mask may be kept by the number of queries alone, or of keys: then the first call
    with so many decides about the others.
    """
    rule = case.report.facts["alignment"]
    if rule in (None, "none") or case.by_query or case.report.problems:
        return
    if _follows(case, *NEW):
        return
    for n in KNOWN:
        _follows(case, n, n)
    if not _follows(case, *KNOWN):  # then it is another rule
        return
    (n, m), (few, many) = NEW, KNOWN
    case.report.add(
        "not-the-same-twice",
        f"What hides keys depends on the calls before: {n} queries and {m} keys are "
        f"aligned otherwise than {few} and {many}, where there was a call with {few} "
        f"of both before, and with {many}.",
    )
    case.done = "What changes from call to call cannot be asked."


def _follows(case: Case, n: int, m: int) -> bool:
    """Say whether queries see just those keys that the rule leaves them."""
    try:
        seen = case.even(n, m).allowed
    except Refused:
        return True
    finally:
        case.pictures.pop((n, m), None)
    told = band(n, m, case.model)
    rows = told.any(-1)
    return bool(np.array_equal(seen[rows], told[rows]))
