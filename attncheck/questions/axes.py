"""Which axis is which: where one changed number shows."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.layouts import CANONICAL
from attncheck.questions.mixing import tell_mixing, undo_order
from attncheck.subject import Refused

ROUNDED = 0.01  # of the largest change
LAST = 2  # of three sentences


def ask_layout(case: Case) -> None:
    """Find the axes: change one number of the values, one of the queries, and look."""
    subject = case.subject
    told = subject.layout
    axes, sides = _reach(case, told, "value"), _reach(case, told, "query")
    if axes <= {"n"}:  # the first sentence may reach no other, and the last one may
        axes |= _reach(case, told, "value", sentence=LAST)
    if axes == {"n"} or not axes:
        case.report.facts["layout"] = told
        return
    if len(axes) == 1:
        _rename(case, told, axes.pop(), sides)
        return
    if _is_scrambled(case, told):
        case.report.facts["layout"] = told
        return
    case.report.facts["layout"] = told
    if not undo_order(case):
        tell_mixing(case, "value", axes - {"n"}, {"n"})


def _rename(case: Case, told: str, tokens: str, sides: set[str]) -> None:
    """Note that the tokens are on an axis that was said to be another."""
    columns = (sides - {tokens}) or {"d"}
    columns_axis = "d" if "d" in columns else min(columns)
    rest = iter(c for c in "bh" if c in told)
    letters = {tokens: "n", columns_axis: "d"}
    found = "".join(letters.get(c) or next(rest) for c in told)
    case.subject.layout = found
    case.report.facts["layout"] = found
    case.report.details["layout_given"] = told
    case.report.notes.append(
        f"It was called with the layout {told}, and mixes along another axis: its own "
        f"layout is {found}, and so it was asked from there on."
    )


def _reach(case: Case, layout: str, what: str, sentence: int = 0) -> set[str]:
    """Name the axes along which one changed number reaches other outputs."""
    sizes = {"b": LAST + 1, "h": case.heads, "n": case.n, "d": case.d}
    shape = tuple(sizes[c] for c in layout)
    inputs = {
        name: 0.3 * case.probes.draw(*shape) for name in ("query", "key", "value")
    }
    try:
        before = case.subject.raw(*inputs.values())
        at = tuple({"b": sentence, "h": 0, "n": case.n // 2, "d": 3}[c] for c in layout)
        exchanged = {"key": "value", "value": "key"} if case.subject.swapped else {}
        inputs[exchanged.get(what, what)][at] += 8.0
        after = case.subject.raw(*inputs.values())
    except Refused:
        return set()
    if after.shape != shape:
        return (
            _reach_merged(case, layout, before, after, at)
            if what == "value"
            else (set())
        )
    change = np.abs(after - before)
    # Far less is rounding: a cache of 8 bits has one step for all numbers of a token.
    moved = np.argwhere(change > max(1e-4, ROUNDED * float(change.max(initial=0.0))))
    return {c for a, c in enumerate(layout) if (moved[:, a] != at[a]).any()}


def _reach_merged(
    case: Case, layout: str, before: np.ndarray, after: np.ndarray, at: tuple[int, ...]
) -> set[str]:
    """Do so for outputs with the heads side by side: (b, n, h · d)."""
    merged = (3, case.n, case.heads * case.d)
    if set(layout) != set(CANONICAL) or after.shape != merged:
        return set()
    place = dict(zip(layout, at, strict=True))
    moved = np.argwhere(np.abs(after - before) > 1e-4)
    column = place["h"] * case.d + place["d"]
    found = {"n"} if (moved[:, 1] != place["n"]).any() else set()
    return found | ({"h"} if (moved[:, 2] != column).any() else set())


def _is_scrambled(case: Case, layout: str) -> bool:
    """Say whether heads and tokens are mixed up by a reshape without a transpose."""
    if "h" not in layout:
        return False
    case.subject.scrambled = True
    sizes = (2, case.heads + 1, case.n, case.d)
    inputs = {
        name: 0.3 * case.probes.draw(*sizes) for name in ("query", "key", "value")
    }
    before = case.subject(*inputs.values())
    inputs["value"][0, 1, case.n // 2, 3] += 8.0
    moved = np.argwhere(np.abs(case.subject(*inputs.values()) - before) > 1e-4)
    fits = moved.size and (moved[:, [0, 1, 3]] == [0, 1, 3]).all()
    if not fits:
        case.subject.scrambled = False
        return False
    case.report.add(
        "heads-scrambled",
        "The output is reshaped where its heads and its tokens should be transposed: "
        "they are mixed up, and a token gets what belongs to others.",
        **{"n_heads": case.heads + 1, "n_tokens": case.n},
    )
    return True
