"""Questions about masks: the function's own, from which corner, and how wide."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import seen_of
from attncheck.patterns import Band, Seen, explains, find_band, mark, name_band
from attncheck.subject import Refused

WORDS = {
    "none": "Every query sees every key.",
    "start": "Query i sees the keys j ≤ i, aligned at the first query (top left).",
    "end": "Query i sees the keys j ≤ i + n_keys − n_queries, aligned at the last key "
    "(bottom right).",
    "strict": "Query i sees only the keys before its own: j < i.",
    "one-too-many": "Query i sees one key too many: j ≤ i + 1.",
    "inverted": "Query i sees only later keys: the causal mask is inverted.",
}


def ask_axis(case: Case) -> None:
    """Ask which sums of the weights are 1, the rows' or the columns'."""
    shape = (1, case.heads, case.many, case.d)
    q, k = case.probes.draw(*shape), case.probes.draw(*shape)
    w = case.probes.weights(q, k)
    rows, columns = w.sum(-1), w.sum(-2)
    near = 5 * case.tolerance
    finite = np.isfinite(columns).all()
    by_column = finite and (np.abs(columns - 1) < near).mean() > 0.9
    by_row = (np.abs(rows - 1) < near).mean() > 0.9
    case.by_query = bool(by_column and not by_row)
    by_head = finite and (np.abs(w.sum(1) - 1) < near).mean() > 0.9
    if case.heads > 1 and by_head and not by_row and not by_column:
        case.report.facts["normalized"] = "no"
        case.report.add(
            "rows",
            "Softmax runs over the heads: the weights of a query and a key add up to "
            "1 over all heads.",
            **{"smallest sum": float(rows.min()), "largest": float(rows.max())},
        )
        case.done = "Its weights are shared out among heads."


def ask_band(case: Case) -> None:
    """Look at square and rectangular masks, and find the band that explains them."""
    n, report = case.n, case.report
    square = case.even(n, n)
    others = _pictures(case, [(2 * n, 2 * n), (n, 2 * n), (2 * n, n)])
    pictures = [*others[:1], square, *others[1:]]
    band = _wider(case, pictures) or _without_lost(case, pictures) or _by_shape(case)
    if band is None:
        _explain_otherwise(case, square)
    else:
        _tell(case, band)
    _ask_leak(case, square)
    lost = np.flatnonzero(square.lost)
    empty = np.flatnonzero(~mark(n, n, band or Band(None, None)).any(-1))
    if lost.size and not report.problems:
        report.add(
            "nan",
            "Rows of queries that see no key are NaN."
            if set(lost) <= set(empty)
            else "It gives NaN for some queries on ordinary numbers.",
            rows=lost,
            of=n,
        )


def _without_lost(case: Case, pictures: list[Seen]) -> Band | None:
    """Find keys that no query sees, and a band that explains all the others."""
    ends = [("last", 1), ("first", 1), *(("tail", b) for b in (8, 16, 32, 64, 128))]
    bands = [Band(None, None), Band(None, 0, "start"), Band(None, 0, "end")]
    for lost in ends:
        for band in bands:
            if all(explains(picture, band, lost) for picture in pictures):
                case.model = case.model.change(lost=lost)
                _tell_lost(case, lost, pictures)
                return band
    return None


def _tell_lost(case: Case, lost: tuple[str, int], pictures: list[Seen]) -> None:
    m = next(m for p in pictures if not seen_of(m := p.allowed.shape[1], lost).all())
    keys = np.flatnonzero(~seen_of(m, lost))
    words = {
        "last": f"Of {m} keys, the last is seen by no query.",
        "first": f"Of {m} keys, the first is seen by no query.",
        "tail": f"Of {m} keys, those from {keys[0]} on are never seen: the last block "
        f"of {lost[1]} that is not full is dropped.",
    }
    case.report.add("tail-dropped", words[lost[0]], **{"keys": keys, "of": m})


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


def _wider(case: Case, pictures: list[Seen]) -> Band | None:
    """Find the band, on a large mask too: a window may be wider than a small one."""
    band = find_band(pictures)
    falls = any(picture.bias is not None for picture in pictures)
    if band is None or falls or case.probes.subject.seconds > 0.5:
        return band  # (what falls with distance is 0 far away, and no window)
    size = 160 if case.n <= 16 else 256
    for large in _pictures(case, [(size, size)]):
        return find_band([large, *pictures]) or band
    return band


def _tell(case: Case, band: Band) -> None:
    facts, report = case.report.facts, case.report
    facts["alignment"], facts["window"] = name_band(band)
    right, left = band.right, band.left
    case.model = case.model.change(window=(left, right), corner=band.corner)
    words = WORDS[facts["alignment"]]
    if facts["window"] is not None:
        words = _window_words(band)
    report.sentences.append(words)
    report.details["corner"] = band.corner
    rectangles = [shape for shape in case.pictures if shape[0] != shape[1]]
    if not rectangles and band.bounds != (None, None):
        report.notes.append(
            "It takes only as many queries as keys, so the corner that its mask is "
            "aligned at cannot be told."
        )


def _window_words(band: Band) -> str:
    sides = [
        "no limit to the left" if band.left is None else f"{band.left} before",
        "no limit to the right" if band.right is None else f"{band.right} after",
    ]
    where = "the first query" if band.corner == "start" else "the last key"
    total = ""
    if band.left is not None and band.right is not None:
        total = f", {band.left + band.right + 1} keys in all"
    return (
        f"Query i sees a window of keys: {sides[0]} its own and {sides[1]}{total}; "
        f"aligned at {where}."
    )


def _explain_otherwise(case: Case, square: Seen) -> None:
    report = case.report
    n = len(square.allowed)
    share = float(square.allowed.mean())
    hidden = np.flatnonzero(~square.allowed.any(0))
    if hidden.size == n and not case.empty:
        case.done = "With queries of 0 it gives nothing: no softmax does that."
        return
    if hidden.size == n - 1:
        case.done = "With equal scores, one key takes all the weight."
        return
    report.unexplained = (
        f"Its mask is no band that I know: {share:.0%} of the pairs of {n} queries and "
        f"{n} keys may attend."
    )


def _ask_leak(case: Case, square: Seen) -> None:
    """Tell of a forbidden key with a small weight: its score is not −∞."""
    leaks = {shape: p.leak for shape, p in case.pictures.items() if p.leak > 0}
    if not leaks:
        return
    leak = max(leaks.values())
    case.report.details["leak"] = leak
    score = float(np.log(leak))
    case.report.add(
        "mask-leaks",
        f"A forbidden key still has a weight: its score is {score:.4g} rather than −∞. "
        "A mask that is added before the cap does this.",
        **{"its weight, relative to an allowed key": leak},
    )
