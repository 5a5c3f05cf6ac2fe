"""Detect an extra step applied to the right numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from named_mistakes.describe import be
from named_mistakes.patterns.pair import Pair, Said, in_all


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
