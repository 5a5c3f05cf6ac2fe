"""What is said of a mask: its band, lost keys, and keys that leak."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import seen_of
from attncheck.patterns import Band, Seen, name_band
from attncheck.rules import WRONG, Rule

WORDS = {
    "none": "Every query sees every key.",
    "start": "Query i sees the keys j ≤ i, aligned at the first query (top left).",
    "end": "Query i sees the keys j ≤ i + n_keys − n_queries, aligned at the last key "
    "(bottom right).",
    "strict": "Query i sees only the keys before its own: j < i.",
    "strict, at the end": "Query i sees only the keys before its own: j < i + n_keys − "
    "n_queries, aligned at the last key (bottom right).",
    "one-too-many": "Query i sees one key too many: j ≤ i + 1.",
    "one-too-many, at the end": "Query i sees one key too many: j ≤ i + n_keys − "
    "n_queries + 1, aligned at the last key (bottom right).",
    "inverted": "Query i sees only keys later than its own, as when a causal mask is "
    "inverted.",
    "inverted, and its own": "Query i sees its own key and later ones, as when a "
    "causal mask is inverted.",
}

BUT = {
    "last": "the last",
    "first": "the first",
    "tail": "those after the last full block, if there is one",
}


def tell_band(case: Case, band: Band) -> None:
    """Note a band as facts and in words."""
    facts, report = case.report.facts, case.report
    facts["alignment"], facts["window"] = name_band(band)
    right, left = band.right, band.left
    case.model = case.model.change(window=(left, right), corner=band.corner)
    more = ", and its own" if facts["alignment"] == "inverted" and left == 0 else ""
    if band.corner == "end" and facts["alignment"] in ("strict", "one-too-many"):
        more = ", at the end"
    words = WORDS[facts["alignment"] + more]
    if facts["window"] is not None:
        words = _window_words(band)
    elif band.bounds == (None, None) and case.model.lost:
        words = f"Every query sees every key but {BUT[case.model.lost[0]]}."
    report.sentences.append(words)
    report.details["corner"] = band.corner
    rectangles = [shape for shape in case.pictures if shape[0] != shape[1]]
    if not rectangles and band.bounds != (None, None):
        report.notes.append(
            "It takes only as many queries as keys, so the corner that its mask is "
            "aligned at cannot be told."
        )


def tell_rule(case: Case, rule: Rule) -> None:
    """Note a mask that is no band as facts and in words."""
    report = case.report
    case.model = case.model.change(picture=rule.mark, corner=rule.band.corner)
    if rule.kind in WRONG:
        sizes = {"block": rule.size} if rule.size else {}
        report.details["who_sees_whom"] = str(rule).rstrip(".")
        report.add(WRONG[rule.kind], str(rule), **sizes)
        return
    if rule.keeps_its_band:
        report.facts["alignment"], report.facts["window"] = name_band(rule.band)
    report.sentences.append(str(rule))
    report.details["who_sees_whom"] = str(rule).rstrip(".")
    report.but.append(rule.short)


def _window_words(band: Band) -> str:
    before = _side(band.left, "no limit to the left of", "before", "after")
    after = _side(band.right, "no limit to the right", "after", "before")
    where = "the first query" if band.corner == "start" else "the last key"
    total = ""
    if band.left is not None and band.right is not None:
        total = f", {band.left + band.right + 1} keys in all"
    return (
        f"Query i sees a window of keys: {before} its own and {after}{total}; "
        f"aligned at {where}."
    )


def _side(keys: int | None, unlimited: str, here: str, opposite: str) -> str:
    """Say how far a window reaches: to this side of the query, or only from beyond."""
    if keys is None:
        return unlimited
    return f"{keys} {here}" if keys >= 0 else f"only from {-keys} {opposite}"


def tell_lost(
    case: Case, lost: tuple[str, int], pictures: list[Seen], is_tail: bool = True
) -> None:
    """Add the problem that keys are seen by no query; of blocks, only if it is so."""
    sizes = (picture.allowed.shape for picture in pictures)
    n, m = next((n, m) for n, m in sizes if not seen_of(m, lost).all())
    of = f"With {n} queries and {m} keys"
    keys = np.flatnonzero(~seen_of(m, lost))
    why = f", as when a block of {lost[1]} that is not full is dropped"
    why = why if is_tail else ""
    words = {
        "last": f"{of}, the value of the last reaches no output.",
        "first": f"{of}, the value of the first reaches no output.",
        "tail": f"{of}, the values of those from {keys[0]} on reach no output{why}.",
    }
    case.report.add("tail-dropped", words[lost[0]], **{"keys": keys, "of": m})
