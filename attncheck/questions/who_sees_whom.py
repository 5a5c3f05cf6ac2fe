"""Questions about the function's own mask: from which corner, and how wide."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import seen_of
from attncheck.patterns import Band, Seen, explains, find_band, mark, name_band
from attncheck.questions.band_words import tell_band, tell_lost, tell_rule
from attncheck.questions.hidden_values import tell_hidden_values
from attncheck.questions.leaks import raise_level, tell_leak
from attncheck.rules import Rule, find_rule
from attncheck.subject import Refused

FULL = Band(None, None)


def ask_band(case: Case) -> None:
    """Look at square and rectangular masks, and find the band that explains them."""
    n = case.n
    raise_level(case)
    square = case.even(n, n)
    others = _pictures(case, [(2 * n, 2 * n), (n, 2 * n), (2 * n, n)])
    pictures = [*others[:1], square, *others[1:]]
    if tell_hidden_values(case, square) or tell_hidden_values(case, pictures[0]):
        return
    mask = _find_mask(case, pictures)
    if isinstance(mask, Rule):
        tell_rule(case, mask)
    elif mask is not None:
        tell_band(case, mask)
    else:
        _explain_otherwise(case, square, pictures)
    tell_leak(case)
    _tell_nan(case, square, mask)


def _find_mask(case: Case, pictures: list[Seen]) -> Band | Rule | None:
    """Find what explains all pictures: a band, a band but for lost keys, a rule."""
    return (
        _wider(case, pictures)
        or _without_lost(case, pictures)
        or _other_rule(case, pictures)
        or _by_shape(case)
    )


def _tell_nan(case: Case, square: Seen, mask: Band | Rule | None) -> None:
    """Add the problem that rows are NaN, if that is the first one found."""
    n, lost = case.n, np.flatnonzero(square.lost)
    if not lost.size or case.report.problems:
        return
    seen = mask.mark(n, n) if isinstance(mask, Rule) else mark(n, n, mask or FULL)
    empty = set(lost) <= set(np.flatnonzero(~seen.any(-1)))
    case.report.details["nan_where_no_key_is_seen"] = empty
    case.report.add(
        "nan",
        "Rows of queries that see no key are NaN."
        if empty
        else "It gives NaN for some queries on ordinary numbers.",
        rows=lost,
        of=n,
    )


def _without_lost(case: Case, pictures: list[Seen]) -> Band | None:
    """Find keys that no query sees, and a band that explains all the others."""
    tails = (128, 64, 32, *range(16, 1, -1))
    ends = [("last", 1), ("first", 1), *(("tail", block) for block in tails)]
    bands = [FULL, Band(None, 0, "start"), Band(None, 0, "end")]
    found = [
        (lost, band)
        for lost in ends
        for band in bands
        if not all(seen_of(p.allowed.shape[1], lost).all() for p in pictures)
        if all(explains(picture, band, lost) for picture in pictures)
    ]
    if found and found[0][0][0] == "tail":  # other numbers of keys tell 5 from 10
        more = _pictures(case, [(case.n, case.n + step) for step in (1, 3, 5, 7, 11)])
        found = [
            (lost, band)
            for lost, band in found
            if all(explains(picture, band, lost) for picture in more)
        ]
    for lost, band in found[:1]:
        full = [(x * lost[1], x * lost[1]) for x in (2, 3) if lost[0] == "tail"]
        if not all(explains(x, band, lost) for x in _pictures(case, full)):
            tell_lost(case, lost, pictures, is_tail=False)
            return None
        case.model = case.model.change(lost=lost)
        tell_lost(case, lost, pictures)
        return band
    return None


def _by_shape(case: Case) -> Band | None:
    """Find a band for more keys than queries, and another for fewer."""
    shapes = case.pictures
    wide = find_band([p for (n, m), p in shapes.items() if m >= n])
    tall = find_band([p for (n, m), p in shapes.items() if m <= n])
    if wide is None or tall is None:
        return None
    case.report.details["corner_with_more_queries"] = tall.corner
    words = {"start": "the first query", "end": "the last key"}
    case.report.notes.append(
        f"With more keys than queries its mask is aligned at {words[wide.corner]}, "
        f"with more queries than keys at {words[tall.corner]}."
    )
    return wide


def _pictures(case: Case, shapes: list[tuple[int, int]]) -> list[Seen]:
    found = []
    for n, m in shapes:
        try:
            found.append(case.even(n, m))
        except Refused as error:
            case.report.details.setdefault("refused", {})[f"{n} × {m}"] = str(error)
    return found


def _wider(case: Case, pictures: list[Seen]) -> Band | Rule | None:
    """Find the band, on a large mask too: a window may be wider than a small one.

    What looks like a band on small masks may be another rule on the large one.
    """
    band = find_band(pictures)
    falls = any(picture.bias is not None for picture in pictures)
    if band is None or falls:
        return band  # (what falls with distance is 0 far away, and no window)
    size = max(160 if case.n <= 16 else 256, case.wide + case.n)
    for large in _pictures(case, [(size, size)]):
        seen = [large, *pictures]
        wide = find_band(seen)
        if wide is None:  # (the last of its blocks is full, and may not have to be)
            uneven = _pictures(case, [(size - 25, size - 25)])
            return _other_rule(case, [*seen, *uneven]) or band
        if wide != band:  # which one number of tokens may show, and no other
            seen += _pictures(case, [(2 * case.n, 4 * case.n)])  # from which corner
            wide = find_band(seen) or wide
            holds = _pictures(case, [(size - 25, size - 25)])
            return wide if all(explains(one, wide) for one in holds) else band
    return band


def _other_rule(case: Case, pictures: list[Seen]) -> Rule | None:
    """Find a rule that is no band; one key more tells which corner it counts from.

    A block of a few tokens is seen to come again with many, full or not.
    """
    if find_rule(pictures) is None:
        return None
    n = 4 * case.n + 5
    many = [] if len(pictures[0].allowed) > n else _pictures(case, [(n, n)])
    more = _pictures(case, [(case.n, case.n + 1)])
    return find_rule([*many, *pictures, *more])


def _explain_otherwise(case: Case, square: Seen, pictures: list[Seen]) -> None:
    report = case.report
    n = len(square.allowed)
    hidden = np.flatnonzero(~square.allowed.any(0))
    if hidden.size == n and not case.empty:
        w = np.nan_to_num(case.probes.even(n, n))
        gives = "negative weights" if w.any() else "nothing"
        case.done = f"With queries of 0 it gives {gives}: no softmax does that."
        return
    if hidden.size == n - 1:
        case.done = "With equal scores, one key takes all the weight."
        return
    words = _pairs_that_meet(square, pictures)
    if square.bias is not None:
        begins = "With equal scores, weights follow no rule that I know"
        report.unexplained = f"{begins}: {words}."
        return
    case.unnamed = f"Who sees whom follows no rule that I know: {words}."
    report.details["who_sees_whom"] = case.unnamed.rstrip(".")
    case.model = case.model.change(picture=case.allowed)


def _pairs_that_meet(square: Seen, pictures: list[Seen]) -> str:
    """Say which share of the pairs meet, where they do not meet as elsewhere."""
    band, shown = find_band([square]), square
    if band is not None:  # then it is not there that the rule fails
        odd = (one for one in pictures if find_band([square, one]) is None)
        shown = next(odd, square)
    n, m = shown.allowed.shape
    share = f"{shown.allowed.mean():.0%} of the pairs of {n} queries and {m} keys have "
    share += "the largest weight of their query" if shown.leak else "a weight"
    if shown is square or band is None:
        return share
    n = len(square.allowed)
    name, window = name_band(band)
    causal = {"start": "a causal mask", "strict": "a strict causal mask"}
    causal["end"] = causal["start"]
    mask = "a window" if window else causal.get(name, "another mask")
    usual = "without a mask" if band.bounds == (None, None) else f"under {mask}"
    return f"{share}, though {n} queries and {n} keys meet as {usual}"
