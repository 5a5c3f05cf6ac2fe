"""Keys that are hidden and keep a weight: the score that they get in place of −∞."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.patterns import VANISHING, Seen, read_even
from attncheck.probes import Probes
from attncheck.subject import Refused

LEVELS = (16.0, 256.0, 4096.0)  # of query · key: some scale leaves e² between scores


def raise_level(case: Case) -> None:
    """Look for a mask that does not show at scores of 0: hidden keys get 0 too.

    All scores are the same, but not 0. Keys that weigh less than others are hidden, or
    else those that weigh more: it depends on the sign of the scale.
    """
    if not _is_even(case.even(case.n, case.n)):
        return
    for level in LEVELS:
        if not _shows(case, level):
            continue
        hidden = ~_seen(case, level).allowed
        if hidden.all(0).any():  # no mask: a key of 0 stands among the others
            return
        case.level = -level if _follows_scores(case, hidden) else level
        case.model = case.model.change(fill=0.0)
        case.pictures.clear()
        return


def _is_even(picture: Seen) -> bool:
    whole = picture.allowed.all() and picture.bias is None
    return bool(whole and not picture.leak and not picture.lost.any())


def _shows(case: Case, level: float) -> bool:
    """Say whether some keys weigh less at this level, and more at its opposite."""
    above, below = _seen(case, level), _seen(case, -level)
    if above.bias is not None or below.bias is not None or above.allowed.all():
        return False
    some = ~above.allowed.all(-1)  # rows in which a key is hidden
    return bool(np.array_equal(above.allowed[some], ~below.allowed[some]))


def _seen(case: Case, level: float) -> Seen:
    weights = case.probes.even(case.n, case.n, case.heads, level)[0]
    return read_even(weights, 2 * case.tolerance)


def _follows_scores(case: Case, pairs: np.ndarray) -> bool:
    """Say whether, with random scores, it is these weights that differ, or others."""
    shape = (1, case.heads, case.n, case.d)
    w = case.probes.weights(case.probes.draw(*shape), case.probes.draw(*shape))[0, 0]
    rows = (pairs.sum(-1) > 1) & ((~pairs).sum(-1) > 1) & np.isfinite(w).all(-1)
    spread = [
        np.median(
            [np.ptp(w[i][kept[i]]) / w[i][kept[i]].max() for i in np.flatnonzero(rows)]
        )
        for kept in (pairs, ~pairs)
    ]
    return bool(spread[0] > spread[1])


def tell_leak(case: Case) -> None:
    """Tell of a hidden key with a small weight: its score is not −∞."""
    if case.level:
        case.report.add(
            "mask-leaks",
            "Hidden keys keep a weight: they get the score 0, not −∞. The mask is "
            "multiplied onto the scores, or they are filled with 0.",
            **{"score of a hidden key": 0.0},
        )
        return
    shape = max(case.pictures, key=lambda shape: case.pictures[shape].leak)
    leak = case.pictures[shape].leak
    if leak:
        _tell_fill(case, shape, leak)


def _tell_fill(case: Case, shape: tuple[int, int], leak: float) -> None:
    """Tell a score that takes the place of −∞ from a number that is only added."""
    fill, raised = float(np.log(leak)), case.probes.even(*shape, level=LEVELS[0])[0]
    at = "" if _is_same_with_half(case, shape, leak) else f" at d_k = {case.d}"
    case.report.details["leak"] = leak
    added = abs(read_even(raised, 2 * case.tolerance).leak / leak - 1) < 0.05
    shown = f"about {fill:.0f}" if leak < VANISHING else f"{fill:.4g}"
    words = (
        f"A forbidden key still has a weight: its score is {shown} rather than −∞{at}. "
        "It is filled with that number, or masked before the cap."
    )
    if added:
        case.model = case.model.change(lowered=fill)
        words = f"A forbidden key still has a weight: {shown} is added{at}, and not −∞."
        for times, share in ((2, "half"), (3, "a third of")):
            if abs(leak * times - 1) < 0.01:
                words = (
                    f"With equal scores, some keys have {share} the weight of others: "
                    f"{shown} is added to their scores, or the others count {times} "
                    "times."
                )
    else:
        case.model = case.model.change(fill=fill)
    numbers = {"its weight, relative to an allowed key": leak}
    case.report.add("mask-leaks", words, **numbers)


def _is_same_with_half(case: Case, shape: tuple[int, int], leak: float) -> bool:
    """Say whether a hidden key weighs as much with half the columns."""
    n, m = shape
    try:
        w = Probes(case.subject, case.d // 2).even(n, m)[0]
    except Refused:
        return True
    with_half = read_even(w, 2 * case.tolerance).leak
    return not with_half or abs(np.log(with_half / leak)) < 0.05
