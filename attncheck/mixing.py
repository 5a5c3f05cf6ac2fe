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
        "What one query gets is made of more than its own head's keys and values."
    )


def undo_order(case: Case) -> bool:
    """Find heads or columns in another order; undo it, to ask the rest."""
    for axis in ("h", "d"):
        order = _order(case, axis)
        if order is None:
            continue
        case.subject.orders[AXES[axis]] = order
        case.report.add(
            f"{NAMES[axis]}-moved",
            f"Outputs are made of other {NAMES[axis]} of the values: {order}.",
            order=order,
        )
        return True
    return False


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
