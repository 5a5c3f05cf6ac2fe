"""What a mask does exactly: the score that hides, each head's own, more keys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.model.masking import cap_scores
from attncheck.questions.added_numbers import ask_added, ask_added_beside
from attncheck.questions.mask_axes import ask_axes_of_mask, ask_shared_heads
from attncheck.questions.masked_probes import (
    as_passed,
    flattened,
    half,
    left_by,
    ratio,
    unmasked,
    weights_under,
)
from attncheck.questions.unread_masks import add_joined
from attncheck.subject import Refused

HIGH = 3.0  # the score of all pairs of a second probe
SQUARE = "With as many queries as keys, "


def filled_with(
    case: Case, name: str, mask: np.ndarray, how: str = "may attend"
) -> float | None:
    """Find the score that hidden pairs get, if it is not far below all others."""
    if case.report.facts["scale"] is None or case.model.rotary is not None:
        return None
    passed = {"may not attend": ~mask, "added": np.where(mask, 0, -np.inf)}
    own, ratios = case.allowed(case.n, case.n), []
    for score in (0.0, HIGH):
        w = weights_under(case, name, passed.get(how, mask), score)
        ratios.append(None if w is None else ratio(w[0], mask, own))
    even, high = ratios
    seen = float(cap_scores(np.array(HIGH), case.model.softcap, case.model.squash))
    if even is None or high is None or abs(high - even + seen) > 0.1:
        return None
    words = f"A hidden key gets the score {even:.3g}, not −∞: it still has weight."
    if abs(even) < 0.05:
        words = (
            "A hidden key gets the score 0, not −∞: the mask is multiplied onto the "
            "scores, or they are filled with 0."
        )
    case.report.add("mask-leaks", words, **{"score of a hidden key": even})
    return even


def ask_mask_further(case: Case, name: str, meaning: str) -> None:
    """Ask whether it hides all the way, head by head, and what numbers add."""
    mask = half(case)
    _ask_in_place_of_band(case, name, meaning)
    if case.report.tells_of("mask-adds-keys"):
        return
    if meaning == "added":
        if filled_with(case, name, mask, meaning) is not None:  # not forbidden by −∞
            told = f"A mask is added to the scores. (The keyword is {name}.)"
            case.report.sentences[-1] = told
        ask_added(case, name)
    elif meaning in ("may attend", "may not attend"):
        filled_with(case, name, mask, meaning)
        ask_added_beside(case, name)
    codes = {problem.code for problem in case.report.problems}
    if "mask-transposed" in codes:
        _limit_transposed(case, name, meaning)
    if codes & {"mask-transposed", "mask-leaks"} or case.report.facts["mask"] is None:
        return
    if _reaches_all(case, name, mask, meaning):
        _ask_each_head(case, name, mask, meaning)
        _ask_each_sentence(case, name, mask, meaning)
        _ask_more_keys(case, name, meaning)
        ask_axes_of_mask(case, name, meaning)
    if not case.report.tells_of("mask"):
        ask_shared_heads(case, name, meaning)


def _ask_in_place_of_band(case: Case, name: str, meaning: str) -> None:
    """Ask whether a mask that is passed takes the place of the causal mask.

    Or whether the two are joined: what either of them leaves is seen.
    """
    mask, own = half(case), case.allowed(case.n, case.n)
    w = weights_under(case, name, as_passed(mask, meaning))
    wanted = left_by(mask, meaning)
    hidden = wanted & ~own
    if w is None or not hidden.any():
        return
    large = w[0] > 0.01 * w[0].max(-1, keepdims=True)
    if not large[hidden].all():
        return
    if np.array_equal(large, own | wanted):
        seen = add_joined(case, name)
        case.report.facts["mask"], case.report.details["mask_seen"] = None, seen
        case.report.sentences[-1] = f"{seen[:1].upper()}{seen[1:]}."
        return
    case.report.details["mask_in_place_of_band"] = True
    words = "where a mask is passed, it takes the place of the one that it makes itself"
    if _keeps_left_side(case, name, meaning):
        words = "where a mask is passed, queries see later keys, none further back"
    case.report.but.append(words)


def _keeps_left_side(case: Case, name: str, meaning: str) -> bool:
    """Ask whether what a window hides on its left stays hidden under a mask."""
    left = case.model.window[0]
    if left is None:
        return False
    n = max(case.n, left + 8)
    own = case.allowed(n, n)
    place = np.arange(n)
    hidden = ~own & (place[:, None] - place > left)
    mask = as_passed(np.full((n, n), left_by(np.array(True), meaning)), meaning)
    ones = (1,) * (len(case.subject.layout) - 2)
    passed: dict[str, Any] = {name: mask.reshape(ones + mask.shape)}
    try:
        w = case.probes.even(n, n, case.heads, **passed)
    except Refused:
        return False
    return bool(hidden.any() and (np.nan_to_num(w)[:, hidden] == 0).all())


def _reaches_all(case: Case, name: str, mask: np.ndarray, meaning: str) -> bool:
    """Ask whether one mask for all is what every head follows."""
    w = weights_under(case, name, as_passed(mask, meaning))
    wanted = left_by(mask, meaning)
    if w is None or not np.isfinite(w).all():
        return True
    if not case.report.details.get("mask_in_place_of_band"):
        wanted = wanted & case.allowed(case.n, case.n)
    rows = wanted.any(-1)
    follows = [np.array_equal((head > 0)[rows], wanted[rows]) for head in w]
    if all(follows):
        return True
    if not any(follows):
        return not _misreads(case, w[0] > 0.01 * w[0].max(-1, keepdims=True), wanted)
    even = unmasked(case)
    others = [i for i, one in enumerate(follows) if not one]
    plain = np.allclose(w[others], even[others], rtol=0.02, atol=1e-6)
    case.report.add(
        "mask-of-some-heads",
        f"The mask reaches {sum(follows)} of {len(follows)} heads; the others "
        f"{'go on as if there were none' if plain else 'follow it otherwise'}.",
    )
    return False


def _misreads(case: Case, seen: np.ndarray, wanted: np.ndarray) -> bool:
    """Say that some queries do not follow the mask, if so, though others do."""
    rows = np.flatnonzero(wanted.any(-1) & (seen != wanted).any(-1))
    if rows.size:
        words = (
            f"Of {len(seen)} queries, {rows.size} do not see just those keys that the "
            "mask leaves them."
        )
        case.report.add("mask-misread", words, queries=rows)
    return bool(rows.size)


def _ask_each_head(case: Case, name: str, mask: np.ndarray, meaning: str) -> None:
    """Give each head a mask of its own."""
    if case.heads < 2:
        return
    masks = np.stack([mask if h % 2 == 0 else ~mask for h in range(case.heads)])
    w = weights_under(case, name, as_passed(masks, meaning))
    if w is None or not np.isfinite(w).all():
        return
    seen = w > 0.01 * w.max(-1, keepdims=True)
    if not np.array_equal(seen[0], seen[1]):
        return
    own = case.allowed(case.n, case.n)
    if case.report.details.get("mask_in_place_of_band"):
        own = np.ones_like(own)
    rows = (own & mask).any(-1) & (own & ~mask).any(-1)
    of_one = any(np.array_equal((own & x)[rows], seen[0][rows]) for x in masks[:2])
    used = "used that of one" if of_one else "see the same keys, those of no one mask"
    words = f"Each head was given a mask of its own, and all heads {used}."
    case.report.add("mask-of-one-head", words)


def _ask_each_sentence(case: Case, name: str, mask: np.ndarray, meaning: str) -> None:
    """Give each sentence a mask of its own."""
    if len(case.subject.layout) < 4:
        return
    masks = np.stack([mask, ~mask, mask])[:, None]
    shape, passed = (3, case.heads, case.n, case.d), {name: as_passed(masks, meaning)}
    try:
        w = case.probes.weights(np.zeros(shape), case.probes.draw(*shape), **passed)
    except Refused:
        return
    wanted = left_by(masks, meaning)
    if not case.report.details.get("mask_in_place_of_band"):
        wanted = wanted & case.allowed(case.n, case.n)
    rows = wanted.any(-1) & np.isfinite(w).all(-1)
    if np.array_equal((w > 0)[rows], np.broadcast_to(wanted, w.shape)[rows]):
        return
    case.report.add(
        "mask-of-another-sentence",
        "Each sentence was given a mask of its own, and not every one was used for its "
        "own sentence.",
    )


def _limit_transposed(case: Case, name: str, meaning: str) -> None:
    """Say it of square masks alone, where others are read as they are."""
    wrong = _wrong_with_more_keys(case, name, meaning)
    if wrong is None or wrong.size:
        return
    begins = "The mask is transposed"
    case.report.problems = [
        replace(one, sentence=one.sentence.replace(begins, f"{SQUARE}{begins.lower()}"))
        for one in case.report.problems
    ]


def _ask_more_keys(case: Case, name: str, meaning: str) -> None:
    """Tell of queries that do not follow a mask for other numbers of tokens."""
    n = case.n
    wrong = _wrong_with_more_keys(case, name, meaning)
    if wrong is not None and wrong.size:
        case.report.add(
            "mask-misread",
            f"With {n} queries and {2 * n} keys, {wrong.size} of the queries "
            "do not see just those keys that the mask leaves them.",
            queries=wrong,
        )
        return
    wrong = _wrong_with_more_keys(case, name, meaning, 1)
    if wrong is not None and wrong.size:
        words = f"With a single query and {2 * n} keys, it does not see just those keys"
        case.report.add("mask-misread", f"{words} that the mask leaves.")


def _wrong_with_more_keys(
    case: Case, name: str, meaning: str, n: int = 0
) -> np.ndarray | None:
    """Return the queries that do not follow such a mask; None where it is refused."""
    n, m = n or case.n, 2 * case.n
    mask = np.random.default_rng(8).random((n, m)) < 0.5
    mask[:, 0] = left_by(np.array(True), meaning)  # (its own rule may leave no other)
    try:
        own = case.allowed(n, m)
        ones = (1,) * (len(case.subject.layout) - 2)
        shaped = as_passed(mask.reshape(ones + mask.shape), meaning)
        passed: dict[str, Any] = {name: shaped}
        w = flattened(case, case.probes.even(n, m, case.heads, **passed))
    except Refused:
        return None
    wanted = left_by(mask, meaning)
    if not case.report.details.get("mask_in_place_of_band"):
        wanted = wanted & own
    seen = w > 0.01 * w.max(-1, keepdims=True)
    rows = wanted.any(-1) & np.isfinite(w).all((0, -1))
    return np.flatnonzero(rows & (seen != wanted).any((0, -1)))
