"""Right numbers to which something was done: an extra step, or another order."""

from collections.abc import Callable
from functools import partial

import numpy as np

from named_mistakes.describe import be
from named_mistakes.patterns.pair import Pair, Said, axes, in_all


def _soft(x: np.ndarray) -> np.ndarray:
    raised = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


# What may have been done to the right numbers at the end.
DONE: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "its absolute value": np.abs,
    "its square": np.square,
    "its root": np.sqrt,
    "its exponential": np.exp,
    "its logarithm": np.log,
    "1 divided by it": lambda w: 1 / w,
    "1 less it": lambda w: 1 - w,
    "its negative numbers set to 0": lambda w: np.maximum(w, 0),
    "rounded to whole numbers": np.round,
    "cut off to whole numbers": np.trunc,
    "rounded to 1 decimal": lambda w: np.round(w, 1),
    "rounded to 2 decimals": lambda w: np.round(w, 2),
    "rounded to 3 decimals": lambda w: np.round(w, 3),
    "clipped to between -1 and 1": lambda w: np.clip(w, -1, 1),
    "clipped to between 0 and 1": lambda w: np.clip(w, 0, 1),
    "softmax of it": lambda w: _soft(w) if w.ndim else w,
    "each row less its mean": lambda w: w - w.mean(-1, keepdims=True) if w.ndim else w,
    "each row divided by its sum": lambda w: (
        w / w.sum(-1, keepdims=True) if w.ndim else w
    ),
    "each row divided by its length": lambda w: (
        w / np.linalg.norm(w, axis=-1, keepdims=True) if w.ndim else w
    ),
    "its numbers sorted, the smallest first": lambda w: np.sort(w, -1) if w.ndim else w,
    "its numbers sorted, the largest first": lambda w: (
        -np.sort(-w, -1) if w.ndim else w
    ),
    "its running sum": lambda w: np.cumsum(w, -1) if w.ndim else w,
}


def _applied(f: Callable[[np.ndarray], np.ndarray], pair: Pair) -> np.ndarray:
    return f(np.asarray(pair.w, float))


def done(pairs: list[Pair], name: str) -> Said:
    """Detect an extra step applied to the right numbers."""
    if any(w.dtype.kind == "b" for _, w, _ in pairs):
        return None
    for what, f in DONE.items():
        if in_all(pairs, partial(_applied, f)):
            return "one-step-too-many", (
                f"your {name} {be(name)} what was expected with one step more: {what}. "
                "Look at the last thing you do, and at what is asked."
            )
    return None


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
