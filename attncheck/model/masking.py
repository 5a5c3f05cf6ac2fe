"""Who sees whom; scores are capped, and what is hidden gets −∞."""

import math
from typing import Any

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


def mask_scores(
    scores: np.ndarray, model: Model, n: int, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores, capped and with −∞ where hidden, and who sees whom."""
    m = scores.shape[-1]
    allowed = band(n, m, model, rows)
    if model.allowed is not None:
        allowed = allowed & _of(model.allowed, rows)
    if model.lost is not None:
        allowed = allowed & model.lost(np.arange(m), m)
    if model.slopes is not None:
        counted = model.change(corner=model.slopes_from or model.corner)
        i, j = positions(n, m, counted, rows)
        away = i - j if model.slopes_signed else np.abs(i - j)
        scores = scores - np.asarray(model.slopes)[:, None, None] * away
    if model.relative is not None:
        scores = scores + relative_bias(n, m, model, rows)
    bias = _of(model.bias, rows)
    if model.order == "mask, cap":
        scores = cap_scores(_add(scores, bias), model.softcap)
        low = -math.inf if model.softcap is None else -model.softcap
        return np.where(allowed, scores, low), np.ones_like(allowed)
    scores = _add(cap_scores(scores, model.softcap, model.squash), bias)
    if model.masked == "before":
        scores = np.where(allowed, scores, model.fill)
    return scores, np.broadcast_to(allowed, scores.shape)


def relative_bias(
    n: int, m: int, model: Model, rows: np.ndarray | None = None
) -> np.ndarray:
    """Return what is added for key − query: (heads, n, m)."""
    table = np.asarray(model.relative)
    i, j = positions(n, m, model, rows)
    place = j - i + table.shape[-1] // 2
    return np.asarray(table[:, place.clip(0, table.shape[-1] - 1)])


def _of(x: Any, rows: np.ndarray) -> Any:
    """Take some queries of a mask, unless all have the same."""
    return x if x is None or x.ndim < 2 or x.shape[-2] == 1 else x[..., rows, :]


def _add(scores: np.ndarray, bias: Any) -> np.ndarray:
    return scores if bias is None else scores + bias


def cap_scores(
    scores: np.ndarray, cap: float | None, squash: str = "tanh"
) -> np.ndarray:
    """Bend large scores, or clip them."""
    if cap is None:
        return scores
    return scores.clip(-cap, cap) if squash == "clip" else cap * np.tanh(scores / cap)
