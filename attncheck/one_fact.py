"""One fact: what it is, whether it was found out, and whether it is as meant."""

from __future__ import annotations

import math
from typing import Any

from attncheck.report import Report, lowered

SCALE = ("scale", "scale_name")
# A fact of None may say that there is none, or that it could not be told.
MAY_BE_NONE = ("softcap", "window", "position", "mask")


def what_is(report: Report, name: str, wanted: Any = None) -> str:
    """Say what was found in place of what was meant."""
    seen = report.details.get("mask_seen")
    if name == "mask" and wanted == "added" and "mask_of_numbers" in report.details:
        return str(report.details["mask_of_numbers"])
    if name == "mask" and report.facts["mask"] is None and seen:
        return str(seen)
    if name == "empty_row" and "empty_row_sees_first" in report.details:
        return "it sees the first key"
    if name == "empty_row" and "empty_row_is_uneven" in report.details:
        return "it may get values with weights that are not even"
    if name == "softcap" and "cap_seen" in report.details:
        return str(report.details["cap_seen"])
    if name == "mask" and report.facts["mask"] is None:
        return "none was found among its arguments"
    if name in SCALE and report.facts[name] is None:
        which = report.details.get("scale_depends_on", "keys")
        return f"it depends on the number of {which}"
    if name == "position" and "relative_bias" in report.details:
        return "it is a bias that depends on key − query, by another rule than ALiBi's"
    rule = report.details.get("who_sees_whom", "")
    if rule and name in ("alignment", "window"):
        return lowered(rule)
    found = report.facts[name]
    if name == "softcap" and "cap_at" in report.details:
        return f"it is {found:.6g}{report.details['cap_at']}"
    return f"it is {found:.6g}" if isinstance(found, float) else f"it is {found!r}"


def is_told(report: Report, name: str) -> bool:
    """Say whether a fact was found out: of some, None says that there is none."""
    if report.facts[name] is not None:
        return True
    if name in ("alignment", "window") and "who_sees_whom" in report.details:
        return True
    if name in SCALE and "scale_by_length" in report.details:
        return True
    if name == "normalized" and "softmax_over" in report.details:
        return True
    if name == "mask" and "mask_seen" in report.details:
        return True
    if name == "softcap" and "cap_seen" in report.details:
        return True
    if name == "mask" and "mask_asked" not in report.details:
        return False
    if name == "window":
        return report.facts["alignment"] is not None
    known = report.facts["scale"] is not None
    return name in MAY_BE_NONE and known and not report.unexplained


def agrees(report: Report, name: str, wanted: Any) -> bool:
    """Say whether a fact is what was wanted; numbers, as well as they are measured."""
    facts = report.facts
    found = facts[name]
    if name == "mask" and wanted == "added" and report.details.get("mask_may_be_added"):
        return True
    if name == "mask" and found == "added" and "key_mask_meaning" in report.details:
        return wanted in ("added", report.details["key_mask_meaning"])
    if name == "window" and found is None and wanted is not None:
        # These have no limit: they say what an alignment says.
        ends = {(None, None): ("none",), (None, 0): ("start", "end")}
        return facts["alignment"] in ends.get(tuple(wanted), ())
    if name == "empty_row" and found == "not reached":  # there was no such row
        return True
    if name == "scale" and isinstance(wanted, str):
        return bool(facts["scale_name"] == wanted)
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return list(wanted) == list(found)
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        near = 0.05 if name == "softcap" else 0.01  # a cap is fitted to what it bends
        return math.isclose(found, wanted, rel_tol=near)
    return bool(found == wanted)


def numbers(report: Report, name: str) -> dict[str, Any]:
    """Find the numbers that show a fact."""
    if name not in SCALE:
        return {}
    by_length = report.details.get("scale_by_length")
    if by_length and report.facts[name] is None:
        return {f"with {m} keys": slope for m, slope in by_length.items()}
    scales: dict[str, Any] = report.details.get("scales", {})
    return scales
