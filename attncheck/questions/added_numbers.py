"""Numbers that a mask adds to the scores: −1 and 1, in every query and head."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.questions.masked_probes import half, ratios, weights_under
from attncheck.report import lowered
from attncheck.subject import Refused

MORE = 64  # tokens: whole blocks
SHOWN = "{} changes a score by"


def ask_added(case: Case, name: str) -> None:
    """Add −1 to some scores, then 1: weights should change by a factor of e."""
    mask, own = half(case), case.allowed(case.n, case.n)
    w = weights_under(case, name, np.where(mask, 0.0, -1.0))
    if w is None:
        return
    by_head = [ratios(head, mask, own) for head in w]
    if not by_head[0] and not w[0][own & ~mask].any():
        words = f"a −1 in a mask passed as {name} hides a key, as −∞ does"
        case.report.facts["mask"] = None
        case.report.details["mask_seen"] = words
        case.report.sentences[-1] = f"{words[:1].upper()}{words[1:]}."
        return
    if not all(by_head) or _differ(case, by_head):
        return
    found = float(np.median(by_head))
    if abs(found + 1) >= 0.05:
        if _tell_uneven(case, name, found):
            return
        case.report.details["an_added_number_counts"] = -found
        words = _at_these_sizes(case, name, found)
        case.report.add("mask-added", words, **{SHOWN.format("−1"): found})
        return
    w = weights_under(case, name, np.where(mask, 0.0, 1.0))
    more = [] if w is None else ratios(w[0], mask, own)
    if more and abs((found := float(np.median(more))) - 1) >= 0.05:
        words = "Numbers below 0 are added by the mask, and those above 0 otherwise."
        case.report.add("mask-added", words, **{SHOWN.format("1"): found})


def ask_added_beside(case: Case, name: str) -> None:
    """Add −1 and −2 to scores, where truth values are read, and numbers may be added.

    Read as truth values, the two would do the same.
    """
    mask, own, found = half(case), case.allowed(case.n, case.n), []
    for number in (-1.0, -2.0):
        w = weights_under(case, name, np.where(mask, 0.0, number))
        change = [] if w is None else ratios(w[0], mask, own)
        if not change or np.ptp(change) > 0.02:
            return
        found.append(float(np.median(change)))
    counts, twice = found
    if abs(counts) < 0.02 or abs(twice / counts - 2) > 0.05:
        return
    case.report.details["mask_may_be_added"] = True
    if abs(counts + 1) >= 0.05 and not _tell_uneven(case, name, counts):
        words = _at_these_sizes(case, name, counts)
        case.report.add("mask-added", words, **{SHOWN.format("−1"): counts})


def _tell_uneven(case: Case, name: str, below: float) -> bool:
    """Say that numbers above 0 count otherwise than those below, if they do."""
    mask = half(case)
    w = weights_under(case, name, np.where(mask, 0.0, 1.0))
    more = [] if w is None else ratios(w[0], mask, case.allowed(case.n, case.n))
    above = float(np.median(more)) if more else -below
    if abs(above + below) < 0.05 * max(abs(below), abs(above)):
        return False
    words = (
        "Numbers that the mask adds do not count the same below 0 and above: at "
        f"d_k = {case.d}, −1 changes a score by {below + 0.0:.3g}, and 1 by "
        f"{above + 0.0:.3g}."
    )
    case.report.add("mask-added", words)
    return True


def _differ(case: Case, by_head: list[list[float]]) -> bool:
    """Say that a number does not count the same for all queries, or in all heads."""
    near = max(0.02, 4 * case.subject.format.eps)
    if max(map(np.ptp, by_head)) > near:
        words = (
            "Each query was given numbers of its own by the mask, and not every one "
            "was used for its own query."
        )
    elif np.ptp([np.median(one) for one in by_head]) > near:
        words = (
            "A number that is added by the mask does not count the same in all heads."
        )
    else:
        return False
    case.report.add("mask-added", words)
    return True


def _at_these_sizes(case: Case, name: str, found: float) -> str:
    """Say what a number becomes; and with how many tokens, if not with more."""
    n, words = case.n, _why(case, found)
    case.n = MORE
    try:
        mask, own = half(case), case.allowed(MORE, MORE)
        w = weights_under(case, name, np.where(mask, 0.0, -1.0))
        more = [] if w is None else ratios(w[0], mask, own)
    except Refused:
        more = []
    finally:
        case.n = n
    if not more or abs(float(np.median(more)) - found) < 0.05 * max(abs(found), 1):
        return words
    few = f"With {n} tokens, {lowered(words)[:-1]}"
    return f"{few}; with {MORE}, its outputs do not follow from that."


def _why(case: Case, found: float) -> str:
    """Say what a number becomes that the mask adds."""
    if abs(found - 1) < 0.05:
        return "The mask is subtracted from the scores, where it should be added."
    if abs(-found / (case.report.facts["scale"] or 1) - 1) < 0.05:
        return "The mask is added before the scale: it is scaled with the scores."
    return f"A number that is added by the mask counts {-found + 0.0:.3g} times."
