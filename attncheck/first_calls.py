"""The first questions: the same answer twice, the axes, a mean of the values."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.layouts import CANONICAL
from attncheck.mixing import tell_mixing, undo_order
from attncheck.subject import Refused


def ask_twice(case: Case) -> None:
    """Call it twice on ordinary numbers; look for NaN and for two answers."""
    probes, shape = case.probes, (1, case.heads, case.n, case.d)
    inputs = [probes.draw(*shape) for _ in range(3)]
    first = case.subject(*inputs)
    again = case.subject(*inputs)
    gap = float(np.nanmax(np.abs(first - again), initial=0))
    scale = float(np.nanmax(np.abs(first), initial=0)) or 1.0
    if gap > 64 * case.subject.format.eps * scale:
        case.report.add(
            "not-the-same-twice",
            "The same call gives two answers: something random, or left over from the "
            "call before, is in it.",
            **{"they differ by up to": gap, "of numbers up to": scale},
        )
        case.done = "What changes from call to call cannot be asked."
    case.report.details["same_twice"] = gap == 0
    lost = np.asarray(~np.isfinite(first).all((0, 1, 3)))
    if case.nothing and not np.nan_to_num(first).any():
        case.done, case.hopeless = "There is nothing to look into.", True
        code = "nan" if lost.all() else "nothing"
        case.report.add(code, "It gives nothing but 0 or NaN on ordinary numbers.")
    elif lost.all():
        case.report.add(
            "nan",
            "It gives NaN or infinity on ordinary numbers.",
            **{"rows": np.flatnonzero(lost), "of": len(lost)},
        )


def ask_roles(case: Case) -> None:
    """Ask whether the output is made of the values, and of the values alone."""
    probes, subject = case.probes, case.subject
    shape = (1, case.heads, case.n, case.d)
    q, k, v = (probes.draw(*shape) for _ in range(3))
    zero = np.zeros(shape)
    plain, without = subject(q, k, v), subject(q, k, zero)
    size = float(np.nanmax(np.abs(plain), initial=0)) or 1.0
    if np.nanmax(np.abs(without), initial=0) <= 1e-3 * size:
        return
    same = np.allclose(plain, without, atol=1e-3 * size, equal_nan=True)
    if not same and not np.abs(subject(q, zero, v)).max() > 1e-3 * size:
        subject.swapped = True
        case.report.add(
            "keys-values-exchanged",
            "Keys and values are exchanged: with keys of 0 the output is 0, with "
            "values of 0 it is not.",
            **{"output up to, with values of 0": float(np.abs(without).max())},
        )
        return
    words = "The values are not used" if same else "The output is no mean of the values"
    case.done = f"{words}, so its weights cannot be seen."
    case.report.add(
        "values-not-used" if same else "not-a-mean",
        f"{words}: with values of 0 the output is not 0.",
        **{"output up to, with values of 0": float(np.abs(without).max())},
    )


def ask_layout(case: Case) -> None:
    """Find the axes: change one number of the values, one of the queries, and look."""
    subject = case.subject
    told = subject.layout
    moved = _reach(case, told, "value"), _reach(case, told, "query")
    axes, sides = moved
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


def ask_keys(case: Case) -> None:
    """Change one number of a query, of a key: it should reach its own head alone."""
    shape = (3, case.heads, case.n, case.d)
    inputs = {
        name: 0.3 * case.probes.draw(*shape) for name in ("query", "key", "value")
    }
    before = case.subject(*inputs.values())
    if _some_are_empty(case, before):
        return
    for name in ("key", "query"):
        changed = {**inputs, name: inputs[name].copy()}
        changed[name][0, 0, case.n // 2, 3] += 8.0
        moved = np.argwhere(np.abs(case.subject(*changed.values()) - before) > 1e-4)
        axes = {c for a, c in enumerate("bh") if moved[:, a].any()}
        if axes:
            tell_mixing(case, name, axes, set())


def _some_are_empty(case: Case, output: np.ndarray) -> bool:
    """Say whether whole sentences or heads get nothing while others do."""
    for axis, name in ((0, "sentences"), (1, "heads")):
        others = tuple(a for a in range(4) if a != axis)
        lost = np.asarray(~np.nan_to_num(output).any(others))
        if lost.any() and not lost.all():
            shown = " ".join(map(str, np.flatnonzero(lost)))
            words = f"Outputs of the {name} {shown} of {len(lost)} are 0."
            case.report.add("nothing-for-some", words)
            case.done, case.hopeless = "The rest was not asked.", True
            return True
    return False


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


def _reach(case: Case, layout: str, what: str) -> set[str]:
    """Name the axes along which one changed number reaches other outputs."""
    sizes = {"b": 3, "h": case.heads, "n": case.n, "d": case.d}
    shape = tuple(sizes[c] for c in layout)
    inputs = {
        name: 0.3 * case.probes.draw(*shape) for name in ("query", "key", "value")
    }
    try:
        before = case.subject.raw(*inputs.values())
        at = tuple({"b": 0, "h": 0, "n": case.n // 2, "d": 3}[c] for c in layout)
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
    moved = np.argwhere(np.abs(after - before) > 1e-4)
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
    """Say whether heads are put side by side without a transpose."""
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
        "The heads are put side by side by a reshape without a transpose: a token gets "
        "pieces of other tokens, and a causal mask leaks.",
        **{"n_heads": case.heads + 1, "n_tokens": case.n},
    )
    return True
