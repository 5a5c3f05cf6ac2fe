"""`expected=`: names of facts, what each of them can be, and what differs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any

from attncheck.facts import FACTS
from attncheck.layouts import CANONICAL
from attncheck.model import SCALES

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


def in_our_spelling(expected: dict[str, Any]) -> dict[str, Any]:
    """Return what is expected with the names of scales in their own signs.

    "1/sqrt(d_k)", "1/sqrt(d)" and "d_k**-0.5" are 1/√d_k.
    """
    ours = {_in_plain_letters(name): name for name in SCALES}
    ours |= {"d_k**-0.5": "1/√d_k", "none": "1 (none)"}
    spelled = dict(expected)
    for fact in {"scale", "scale_name"} & set(expected):
        if isinstance(expected[fact], str):
            plain = re.sub(r"\bd\b", "d_k", expected[fact].replace(" ", ""))
            spelled[fact] = ours.get(plain, expected[fact])
    return spelled


def _in_plain_letters(name: str) -> str:
    """Write √d_k as sqrt(d_k), without the note in parentheses that may follow."""
    plain = name.partition(" (")[0].replace("·", "*").replace("−", "-")
    plain = re.sub(r"√\((.*?)\)", r"sqrt(\1)", plain)
    return re.sub(r"√(\w+)", r"sqrt(\1)", plain).replace(" ", "")


def check_expected(expected: dict[str, Any]) -> None:
    """Refuse a name or a value that no report can have.

    Raises
    ------
    ValueError
        With what was given and what is known.
    """
    unknown = set(expected) - set(FACTS)
    if unknown:
        rule = f"expected names facts: {', '.join(FACTS)}"
        raise ValueError(f"ask: {rule}, got {', '.join(map(repr, sorted(unknown)))}")
    for name, value in expected.items():
        if rule := _rule(name, value):
            raise ValueError(f"ask: in expected, {name} {rule}, got {value!r}")


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


NEAR = 1e-3  # of a number: what was measured may be so far off


def compare(
    facts: dict[str, Any], expected: dict[str, Any], apart: dict[str, tuple[Any, Any]]
) -> Iterator[tuple[str, str]]:
    """Yield a code and words for each fact that differs from what was expected.

    `apart`: the facts on which two regimes differ.
    """
    for key, wanted in expected.items():
        if wanted == "not reached":  # whoever hands facts on expects nothing of it
            continue
        named = key == "scale" and isinstance(wanted, str)
        fact = "scale_name" if named else key
        if fact in apart or not _same(facts[fact], wanted):
            code = "scale" if key == "scale_name" else key.replace("_", "-")
            words = _in_words(fact, facts[fact], apart)
            yield code, f"{key} {wanted!r} was expected, and {words}"


def _in_words(fact: str, got: Any, apart: dict[str, tuple[Any, Any]]) -> str:
    if fact in apart:
        rest, one = apart[fact]
        return f"it is {one!r} in some calls, {rest!r} in the others"
    if got is None and None not in KNOWN.get(fact, (None,)):
        return f"who sees whom has no {fact}" if fact == "alignment" else "has no name"
    return f"it is {got!r}"


def _same(got: Any, wanted: Any) -> bool:
    if isinstance(wanted, Real) and not isinstance(wanted, bool):
        if not isinstance(got, int | float):
            return False
        return abs(got - float(wanted)) <= NEAR * abs(float(wanted))
    if isinstance(wanted, tuple | list):
        return got is not None and tuple(got) == tuple(wanted)
    return bool(got == wanted)
