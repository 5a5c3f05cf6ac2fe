"""With more keys than queries: from which place on queries are rotated."""

from __future__ import annotations

from attncheck.case import Case
from attncheck.questions.last_check import OFF_BY, deviation
from attncheck.subject import Refused


def ask_offset(case: Case) -> None:
    """Compare both places, where it takes more keys than queries."""
    model, n = case.model, case.n
    if model.rotary is None:
        return
    off: dict[str, float] = {}
    for place in ("start", "end"):
        case.model = model.change(rotary={**model.rotary, "queries": place})
        try:
            found = deviation(case, b=1, heads=case.heads, n=n, m=2 * n, size=2.0)
        except Refused:
            case.model = model
            return
        off[place] = float(found.max())
    place = min(off, key=off.__getitem__)
    case.model = model.change(rotary={**model.rotary, "queries": place})
    if off[place] > 0.2 * max(off.values()):
        return
    case.report.details["rotary"] = dict(case.report.details["rotary"], queries=place)
    if place == "start" and model.corner == "end":
        case.report.add(
            "rotary-offset",
            "With more keys than queries, the mask puts the last query at the last "
            "key, but queries are rotated as if the first stood at place 0.",
            **{f"if rotated by their places, {OFF_BY}": off["end"]},
        )
