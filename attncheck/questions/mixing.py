"""Outputs that are made of other heads, other sentences or other columns."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.layouts import ORDERS

NAMES = {"h": "heads", "b": "sentences", "d": "columns", "n": "tokens"}
PLURALS = {"query": "queries", "key": "keys", "value": "values"}
AXES = {"b": 0, "h": 1, "d": 3}


def tell_mixing(case: Case, what: str, axes: set[str], fine: set[str]) -> None:
    """Add the problem that a number reaches where it should not."""
    others = " and ".join(f"other {NAMES[axis]}" for axis in sorted(axes - fine))
    others = others or "other places"
    case.report.add(
        "mixed-axes",
        f"One number of the {PLURALS[what]} reaches outputs of {others}.",
        **{f"a {what} moves outputs along the axes": " ".join(sorted(axes))},
    )
    case.done = case.done or (
        "What one query gets is not made of its own head's keys and values alone."
        if axes & {"b", "h"} - fine
        else "A column of the outputs is not made of that column of the values alone."
    )


def undo_order(case: Case) -> bool:
    """Find heads or columns in another order; undo it, to ask the rest."""
    for axis in ("h", "d"):
        order = _order(case, axis)
        if order is None:
            continue
        case.subject.orders[AXES[axis]] = order
        one = NAMES[axis].removesuffix("s")
        case.report.add(
            f"{NAMES[axis]}-moved",
            READ[order].format(one.title(), one),
        )
        return True
    return False


READ = {
    "reversed": "The {1}s of the output are those of the values in reversed order.",
    "one later": "{0} i of the output is made of {1} i − 1 of the values.",
    "one earlier": "{0} i of the output is made of {1} i + 1 of the values.",
}


def _order(case: Case, axis: str) -> str | None:
    """Give each head (or column) its number as value, and read the order."""
    size = {"h": case.heads + 1, "d": case.d}[axis]
    shape = [1, case.heads + 1, case.n, case.d]
    number = np.arange(1.0, size + 1)
    spread = number.reshape([-1 if a == AXES[axis] else 1 for a in range(4)])
    q, k = case.probes.draw(*shape), case.probes.draw(*shape)
    output = case.subject(q, k, np.ones(shape) * spread)
    level = case.subject(q, k, np.ones(shape))
    others = tuple(a for a in range(4) if a != AXES[axis])
    found = np.median(output / level, axis=others)
    for name, reorder in ORDERS.items():
        if np.allclose(found, reorder(number, 0), rtol=0.02):
            return name
    return None


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
        axes = _reach(case, inputs, before, name, 0)
        axes = axes or _reach(case, inputs, before, name, 2)
        if axes and case.subject.orders:
            case.done = "Heads of queries, keys and values are not in one order."
        elif axes:
            tell_mixing(case, name, axes, set())


def _reach(
    case: Case, inputs: dict[str, np.ndarray], before: np.ndarray, name: str, b: int
) -> set[str]:
    """Name the axes along which a number of a sentence's first head reaches others."""
    changed = {**inputs, name: inputs[name].copy()}
    changed[name][b, 0, case.n // 2, 3] += 8.0
    moved = np.argwhere(np.abs(case.subject(*changed.values()) - before) > 1e-4)
    elsewhere = {"b": moved[:, 0] != b, "h": moved[:, 1] != 0}
    return {axis for axis, where in elsewhere.items() if where.any()}


def _some_are_empty(case: Case, output: np.ndarray) -> bool:
    """Say whether whole sentences or heads get nothing while others do."""
    for axis, name in ((0, "sentences"), (1, "heads")):
        others = tuple(a for a in range(4) if a != axis)
        lost = np.asarray(~np.nan_to_num(output).any(others))
        if lost.any() and not lost.all():
            shown = " ".join(map(str, np.flatnonzero(lost)))
            gives = "NaN" if np.isnan(output).any() else "0"
            words = f"Outputs of the {name} {shown} of {len(lost)} are {gives}."
            case.report.add("nothing-for-some", words)
            case.done, case.hopeless = "The rest was not asked.", True
            return True
    return False
