"""`expected=`: names of facts, what each of them can be, and what differs."""

import re
from collections.abc import Callable, Iterator
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
}
NAMED = (*SCALES, "1/√n_keys")
NUMBER = r"[-+.e\d]+(, whatever d_k is)?"  # a scale that has no other name


def _is_number(x: Any) -> bool:
    return isinstance(x, Real) and not isinstance(x, bool)


def _is_window(x: Any) -> bool:
    if not isinstance(x, tuple | list) or len(x) != 2:
        return x is None
    return all(
        side is None or (isinstance(side, Integral) and not isinstance(side, bool))
        for side in x
    )


def _is_layout(x: Any) -> bool:
    return isinstance(x, str) and "n" in x and set(x) <= set(CANONICAL)


# What else a fact can be, and in words.
OTHERS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "scale": (
        lambda x: _is_number(x) or x in NAMED,
        f"is a number or one of {', '.join(NAMED)}",
    ),
    "scale_name": (
        lambda x: x in NAMED or bool(re.fullmatch(NUMBER, str(x))),
        f"is one of {', '.join(NAMED)}",
    ),
    "softcap": (lambda x: x is None or _is_number(x), "is a number"),
    "window": (_is_window, "is None or two bounds, each a whole number or None"),
    "layout": (_is_layout, f"is an order of letters of {CANONICAL!r}"),
}


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
    """Refuse a name or a value that no report can have."""
    unknown = set(expected) - set(FACTS)
    if unknown:
        rule = f"expected names facts: {', '.join(FACTS)}"
        raise ValueError(f"ask: {rule}, got {', '.join(map(repr, sorted(unknown)))}")
    for name, value in expected.items():
        if name in KNOWN:
            fits = value in KNOWN[name]
            rule = f"is one of {', '.join(map(repr, KNOWN[name]))}"
        else:
            fits, rule = OTHERS[name][0](value), OTHERS[name][1]
        if not fits:
            raise ValueError(f"ask: in expected, {name} {rule}, got {value!r}")


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
