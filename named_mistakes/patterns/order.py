"""Recognize the right rows, columns or matrices in another order."""

from __future__ import annotations

import numpy as np

from named_mistakes.patterns.pair import Pair, Said, axes

ORDERS = {
    "reversed": (lambda n: np.arange(n)[::-1], "in reverse order"),
    "one-place-on": (lambda n: np.roll(np.arange(n), 1), "moved on by one place"),
    "one-place-back": (lambda n: np.roll(np.arange(n), -1), "moved back by one place"),
}


def in_order(pairs: list[Pair], name: str) -> Said:
    """Find the right slices in another order."""
    if all(_turned(p) for p in pairs):
        return "rows-columns-swapped", (
            f"the numbers of your {name} are right, with rows and columns exchanged. "
            "Look at what a row stands for, and what a column."
        )
    if any(w.dtype.kind == "b" for _, w, _ in pairs):
        return None
    for axis, what in axes(pairs):
        for order, how in ORDERS.values():
            if all(_ordered(p, axis, order(p[1].shape[axis])) for p in pairs):
                return "order-changed", _order_changed(name, what, how)
        if all(_permuted(p, axis) for p in pairs):
            return "order-changed", _order_changed(name, what, "in another order")
    return None


def _order_changed(name: str, what: str, how: str) -> str:
    kind = f"{what}s" if " " not in what else what.replace(" ", "s ", 1)
    return (
        f"the {kind.replace('matrixs', 'matrices')} of your {name} are right, but "
        f"stand {how}. Look at the order in which they are joined, reshaped or moved."
    )


def _turned(pair: Pair) -> bool:
    x, w, judged = pair
    square = w.ndim > 1 and w.shape[-1] == w.shape[-2]
    return square and bool(np.all(judged.close(x, np.swapaxes(w, -1, -2))))


def _ordered(pair: Pair, axis: int, order: np.ndarray) -> bool:
    x, w, judged = pair
    return len(order) > 1 and bool(
        np.all(judged.close(x, np.take(w, order, axis=axis)))
    )


def _permuted(pair: Pair, axis: int) -> bool:
    x, w, _ = pair
    n = w.shape[axis]
    if n < 3:
        return False
    rows, due = (np.moveaxis(a, axis, 0).reshape(n, -1) for a in (x, w))
    far = np.abs(rows[:, None] - due[None]).max(axis=-1)
    nearest = far.argmin(axis=1)
    return len(set(nearest)) == n and _ordered(pair, axis, nearest)
