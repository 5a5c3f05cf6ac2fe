"""ALiBi: how scores fall with the distance, head by head."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model.places import positions
from attncheck.patterns import Seen
from attncheck.questions.relative import ask_relative
from attncheck.scales import centered
from attncheck.subject import Refused
from attnlib import alibi_bias

FAR = 8  # times as many tokens, where a slope is small


def ask_alibi(case: Case) -> None:
    """Find a slope for each head, of 8 and of 6; the authors' slopes are known."""
    report = case.report
    report.facts["position"] = "other"
    found = _find_slopes(case)
    if not found:
        if ask_relative(case):
            return
        report.sentences.append(
            "It adds something to the scores that depends on place."
        )
        report.unexplained = report.unexplained or (
            "With equal scores its weights are uneven, but do not fall evenly with the "
            "distance, as those of ALiBi do."
        )
        return
    report.facts["position"] = "alibi"
    report.details["slopes"] = {str(h): slopes for h, slopes in found.items()}
    case.model = case.model.change(slopes=np.array(found.get(case.heads, (0.0,))))
    agree = {h: _as_published(h, slopes) for h, slopes in found.items() if h > 1}
    n_heads, slopes = next(iter(found.items()))
    if min(slopes) < 0:
        where = "" if max(slopes) < 0 else "In some heads, "
        words = f"{where}scores grow with distance, where those of ALiBi fall"
        words = f"{words[:1].upper()}{words[1:]}: the sign is wrong."
        report.add("alibi-sign", words, slopes=slopes)
        return
    shown = " ".join(f"{x:.4g}" for x in slopes)
    falls = "Scores fall with distance, as with ALiBi"
    if case.model.slopes_signed:
        report.details["slopes_signed"] = True
        falls = "Scores rise from each key to the next, as with ALiBi, later keys too"
    _ask_offset(case)
    small = "; those of 0 may be too small to show" if min(slopes) == 0 else ""
    report.sentences.append(f"{falls}; slopes of {n_heads} heads: {shown}{small}.")
    if 8 in agree and not agree[8]:
        report.details["slopes_as_published"] = False
        report.notes.append("Its slopes for 8 heads are not those of the paper.")
    if agree.get(8) and agree.get(6) is False:
        report.details["slopes_as_published"] = False
        report.details["slopes_of_8_as_published"] = True
        report.notes.append(
            "Its slopes are those of the paper for 8 heads, but for 6 heads they are "
            "not those of the authors' own code."
        )


def _ask_offset(case: Case) -> None:
    """With more keys than queries: from which place on distances are counted.

    Where no query is masked, either may be meant.
    """
    n, m, model = case.n, 2 * case.n, case.model
    whole = model.window == (None, None) and model.picture is None
    if model.slopes_signed or not (whole or model.corner == "end"):
        return
    try:
        pictures = [case.even(n, m, head, case.heads) for head in range(case.heads)]
    except Refused:
        return
    off = {}
    for place in ("start", "end"):
        i, j = positions(n, m, model.change(corner=place))
        off[place] = max(
            float(np.abs(_uneven(picture, -slope * np.abs(i - j))).max())
            for picture, slope in zip(pictures, model.slopes, strict=True)
        )
    if whole:  # no mask says where the queries stand
        at_end = off["end"] <= case.tolerance and off["start"] > 10 * case.tolerance
        case.model = model.change(corner="end" if at_end else "start")
        return
    if off["start"] > case.tolerance or off["end"] < 10 * case.tolerance:
        return
    case.model = model.change(slopes_from="start")
    case.report.add(
        "alibi-offset",
        "With more keys than queries, the mask puts the last query at the last key, "
        "but ALiBi counts distances as if the first query stood at place 0.",
        **{"scores off by up to, if counted from their places": off["end"]},
    )


def _uneven(picture: Seen, bias: np.ndarray) -> np.ndarray:
    """Return what is left of the log weights when a bias is taken off them."""
    seen = picture.allowed
    logs = np.zeros_like(bias) if picture.bias is None else picture.bias
    return centered(np.where(seen, logs - bias, 0), seen)


def _find_slopes(case: Case) -> dict[int, tuple[float, ...]]:
    """Find slopes by distance; or by query − key, where later keys are seen too."""
    numbers = dict.fromkeys((8, 6, case.heads))
    found = {h: slopes for h in numbers if (slopes := _slopes(case, h))}
    if found:
        return found
    case.model = case.model.change(slopes_signed=True)
    found = {h: slopes for h in numbers if (slopes := _slopes(case, h))}
    if not found or any(min(slopes) < 0 for slopes in found.values()):
        case.model = case.model.change(slopes_signed=False)
        return {}
    return found


def _slopes(case: Case, heads: int) -> tuple[float, ...] | None:
    """Measure how log weights fall with distance; None if they do not do so evenly."""
    slopes = []
    for head in range(heads):
        slope = _slope(case, case.n, head, heads)
        if slope == 0.0:  # too small to show so near
            slope = _slope(case, FAR * case.n, head, heads)
        if slope is None:
            return None
        slopes.append(slope)
    return tuple(slopes)


def _slope(case: Case, n: int, head: int, heads: int) -> float | None:
    """Measure it in one head, with n tokens; 0 if no weights differ."""
    try:
        picture = case.even(n, n, head, heads)
    except Refused:
        return None
    if picture.bias is None:
        return 0.0
    seen = picture.allowed & case.allowed(n, n)  # (a query that sees none has a mean)
    away = (np.arange(n) - np.arange(n)[:, None]).astype(float)
    away = away if case.model.slopes_signed else -np.abs(away)
    x = centered(away, seen)
    y = centered(np.where(seen, picture.bias, 0), seen)
    slope = float((x * y).sum() / max((x * x).sum(), 1e-300))
    if np.abs(y - slope * x).max() > 0.05 * np.abs(y).max() + case.tolerance:
        return None
    return slope


def _as_published(heads: int, slopes: tuple[float, ...]) -> bool:
    published = -np.asarray(alibi_bias(heads, 2))[:, 1, 0]
    return bool(np.allclose(slopes, published, rtol=0.02))
