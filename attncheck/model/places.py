"""Where queries and keys stand, and which keys are inside a window."""

from __future__ import annotations

import numpy as np

from attncheck.model.fields import Model


def positions(
    n: int, m: int, model: Model, rows: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return where queries (..., n, 1) and keys (m,) stand."""
    offset = np.asarray(model.offset)[..., None, None]
    start = m - n if model.corner == "end" else 0
    rows = np.arange(n) if rows is None else rows
    return rows[:, None] + offset + start, np.arange(m)


def reach(n: int, m: int, model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Return the first key inside each query's window, and the one after the last."""
    left, right = model.window
    i, _ = positions(n, m, model)
    first = np.zeros_like(i) if left is None else np.clip(i - left, 0, m)
    last = np.full_like(i, m) if right is None else np.clip(i + right + 1, 0, m)
    nobody = first >= last
    return np.where(nobody, 0, first), np.where(nobody, 0, last)


def band(n: int, m: int, model: Model, rows: np.ndarray | None = None) -> np.ndarray:
    """Mark the keys inside the window, of all queries or of some; a rule changes it."""
    left, right = model.window
    i, j = positions(n, m, model, rows)
    inside = np.ones(np.broadcast_shapes(i.shape, j.shape), bool)
    if left is not None:
        inside = inside & (j >= i - left)
    if right is not None:
        inside = inside & (j <= i + right)
    rule = model.picture
    return inside if rule is None else rule.mark(inside, i, j, m - n)
