"""What `meant` may say: names of facts, and what each of them can be."""

from __future__ import annotations

import re
from numbers import Integral, Real
from typing import Any

from attncheck.layouts import CANONICAL
from attncheck.model import SCALES
from attncheck.positions_meant import MORE, check_positions
from attncheck.report import FACTS

KNOWN: dict[str, tuple[str | None, ...]] = {
    "alignment": ("none", "start", "end", "strict", "one-too-many", "inverted"),
    "normalized": ("keys", "queries", "sink", "no"),
    "mask": ("may attend", "may not attend", "added", "multiplied after", None),
    "grouping": ("repeat", "tile", "refused", "other"),
    "position": ("rotary", "alibi", "other", None),
    "empty_row": ("zeros", "mean", "nan", "refused", "not reached"),
    "large_scores": ("fine", "nan"),
    "scale_name": (*SCALES, "1/√n_keys"),
}
NUMBERS = ("scale", "softcap")
NUMBER = r"[-+.e\d]+(, whatever d_k is)?"  # a scale that has no other name


def in_our_spelling(meant: dict[str, Any]) -> dict[str, Any]:
    """Return what is meant with the names of scales in their own signs.

    "1/sqrt(d_k)", "1/sqrt(d)" and "d_k**-0.5" are 1/√d_k.
    """
    ours = {_in_plain_letters(name): name for name in SCALES}
    ours |= {"d_k**-0.5": "1/√d_k", "none": "1 (none)"}
    spelled = dict(meant)
    for fact in {"scale", "scale_name"} & set(meant):
        if isinstance(meant[fact], str):
            plain = re.sub(r"\bd\b", "d_k", meant[fact].replace(" ", ""))
            spelled[fact] = ours.get(plain, meant[fact])
    return spelled


def _in_plain_letters(name: str) -> str:
    """Write √d_k as sqrt(d_k), without the note in parentheses that may follow."""
    plain = name.partition(" (")[0].replace("·", "*").replace("−", "-")
    plain = re.sub(r"√\((.*?)\)", r"sqrt(\1)", plain)
    return re.sub(r"√(\w+)", r"sqrt(\1)", plain).replace(" ", "")


def check_meant(meant: dict[str, Any]) -> None:
    """Refuse a name or a value that no report can have.

    Raises
    ------
    ValueError
        With what was given and what is known.
    """
    unknown = set(meant) - {*FACTS, *MORE}
    if unknown:
        rule = f"meant names facts: {', '.join((*FACTS, *MORE))}"
        raise ValueError(f"ask: {rule}, got {', '.join(map(repr, sorted(unknown)))}")
    for name, value in meant.items():
        if rule := _rule(name, value):
            raise ValueError(f"ask: in meant, {name} {rule}, got {value!r}")
    check_positions(meant)


def _rule(name: str, value: Any) -> str:
    """Return the rule that a value breaks, or nothing."""
    if name == "scale_name" and isinstance(value, str):
        value = 1 if re.fullmatch(NUMBER, value) else value
        if value == 1:
            return ""
    if name in KNOWN and value not in KNOWN[name]:
        return f"is one of {', '.join(map(repr, KNOWN[name]))}"
    if name == "scale" and isinstance(value, str):
        known = ", ".join(map(str, KNOWN["scale_name"]))
        named = value in KNOWN["scale_name"]
        return "" if named else f"is a number or one of {known}"
    number = isinstance(value, Real) and not isinstance(value, bool)
    if name in NUMBERS and not (number or (value is None and name == "softcap")):
        return "is a number"
    if name == "window" and not _is_window(value):
        return "is None or two bounds, each a whole number or None"
    if name == "layout" and (
        not isinstance(value, str) or set(value) - set(CANONICAL) or "n" not in value
    ):
        return f"is an order of letters of {CANONICAL!r}"
    return ""


def _is_window(value: Any) -> bool:
    if value is None:
        return True
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    return all(
        x is None or (isinstance(x, Integral) and not isinstance(x, bool))
        for x in value
    )
