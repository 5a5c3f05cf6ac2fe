"""Attention in float64 with every convention as a field: right ones and wrong ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from attnlib import rotary_embedding

FULL = ("queries", "all")  # sums over all queries
Bounds = tuple[int | None, int | None]
SCALES: dict[str, Callable[[int, int], float]] = {
    "1/√d_k": lambda d, h: d**-0.5,
    "1 (none)": lambda d, h: 1.0,
    "1/d_k": lambda d, h: 1 / d,
    "√d_k": lambda d, h: d**0.5,
    "d_k": lambda d, h: float(d),
    "log2(e)/√d_k (exp for exp2)": lambda d, h: math.log2(math.e) * d**-0.5,
    "ln 2/√d_k (exp2 for exp)": lambda d, h: math.log(2) * d**-0.5,
    "−1/√d_k (negated)": lambda d, h: -(d**-0.5),
    "−1 (none, negated)": lambda d, h: -1.0,
    "1/√(n_heads·d_k)": lambda d, h: (h * d) ** -0.5,
    "1/(n_heads·d_k)": lambda d, h: 1 / (h * d),
    "1/√(d_k − 1)": lambda d, h: (d - 1) ** -0.5 if d > 1 else math.inf,
    "1/√(d_k + 1)": lambda d, h: (d + 1) ** -0.5,
    "1/√(d_k/2)": lambda d, h: (d / 2) ** -0.5,
    "1/√(2·d_k)": lambda d, h: (2 * d) ** -0.5,
    "2/√d_k": lambda d, h: 2 * d**-0.5,
    "1/(2·√d_k)": lambda d, h: 0.5 * d**-0.5,
    "1/√n_heads": lambda d, h: h**-0.5,
    "1/∜d_k": lambda d, h: d**-0.25,
    "ln 2 (exp2 for exp, no scale)": lambda d, h: math.log(2),
    "log2(e) (exp for exp2, no scale)": lambda d, h: math.log2(math.e),
}


@dataclass(frozen=True)
class Model:
    """One way to compute attention; the defaults are scaled dot-product attention."""

    scale: float | str = "1/√d_k"
    softcap: float | None = None
    window: Bounds = (None, None)  # keys i + offset − left … i + offset + right
    corner: str = "start"  # or "end": the last query stands at the last key
    offset: Any = 0
    normalized: str = "keys"  # or "queries", "no", "heads", "all", "sink", "sigmoid" …
    sink: Any = None  # a logit for each head, in the denominator alone
    grouping: str = "repeat"  # or "tile", or "first": one for all
    rotary: dict[str, Any] | None = None  # keywords of attnlib.rotary_embedding …
    slopes: Any = None  # ALiBi: for each head
    bias: Any = None  # added to the scores
    allowed: Any = None  # a mask: True = may attend
    order: str = "cap, mask"  # or "mask, cap"
    masked: str = "before"  # or "after": multiplied onto the weights
    roles: str = "qkv"  # what is used as query, key and value
    values: str = "as they are"  # or "reversed", "one later", "one earlier"
    empty: str = "zeros"  # or "mean"
    lowest: float | None = None  # where a running maximum starts, if not at −∞
    sees: str = "keys"  # or "queries": q and k exchanged in the scores
    product: str = "dot"  # or "cosine", "distance", "squared distance"
    squash: str = "tanh"  # what caps: or "clip"
    fill: float = -math.inf  # the score of a pair that is hidden
    pad: int = 1  # keys of 0 fill up blocks of this size, and take part
    lost: tuple[str, int] | None = None  # "first" or "last" so many, "tail" of blocks
    gives: str = "as it is"  # or what GIVES names

    @property
    def over_queries(self) -> bool:
        """Whether a query's output depends on all the others."""
        whole = self.normalized in FULL or self.gives in WHOLE
        return whole or self.sees == "queries"

    def change(self, **fields: Any) -> Model:
        """Return a copy with some fields changed."""
        return replace(self, **fields)


def of_first(model: Model) -> Model:
    """Return the model for the first sentence alone: a mask may have one for each."""
    masks = {"allowed": model.allowed, "bias": model.bias}
    fields = {name: x[:1] for name, x in masks.items() if np.ndim(x) == 4}
    return model.change(**fields) if fields else model


class Attended(NamedTuple):
    """What a model computes, and the sizes that its rounding depends on."""

    scores: np.ndarray  # scaled and capped, masked by −∞
    weights: np.ndarray
    output: np.ndarray
    value: np.ndarray  # a row for every key and query head
    size: np.ndarray  # of the largest score in a row before its terms cancel

    def take(self, rows: np.ndarray) -> Attended:
        """Return what some of the queries got."""
        scores, weights, output, value, size = self
        some = (x[..., rows, :] for x in (scores, weights, output, size))
        scores, weights, output, size = some
        return Attended(scores, weights, output, value, size)


def scale_of(scale: float | str, d: int, n_heads: int) -> float:
    """Return what scores are multiplied by."""
    return SCALES[scale](d, n_heads) if isinstance(scale, str) else float(scale)


def attend(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    model: Model,
    rows: np.ndarray | None = None,
) -> Attended:
    """Compute what a model computes, on arrays (..., n_heads, n, d).

    With `rows`, only those queries are computed: they cost what few queries cost,
    unless the model has sums that run over all of them.

    Raises
    ------
    ValueError
        If the shapes do not fit this model.
    """
    given = {"q": query, "k": key, "v": value}
    q, k, v = (given[role] for role in model.roles)
    n = q.shape[-2]
    if rows is not None and model.over_queries:
        return attend(query, key, value, model).take(rows)
    rows = np.arange(n) if rows is None else rows
    k, v = (_share(x, q.shape[-3], model.grouping) for x in (k, v))
    if model.rotary is not None:
        q, k = rotate(q, model.rotary, "q"), rotate(k, model.rotary, "k")
    q = q[..., rows, :]
    c = scale_of(model.scale, q.shape[-1], q.shape[-3])
    scores, size = c * _products(q, k, model.product), abs(c) * _sizes(q, k, model)
    if model.sees == "queries":
        scores = scores.swapaxes(-1, -2)
    scores, allowed = _mask(scores, model, n, rows)
    weights = _weights(scores, allowed, model)
    v = reorder(v, model.values)
    output = GIVES[model.gives](weights @ v)
    return Attended(scores, weights, output, v, size)


def _products(q: np.ndarray, k: np.ndarray, product: str) -> np.ndarray:
    """Multiply queries with keys, or compare them in another way."""
    if product == "cosine":
        q, k = (
            x / (np.linalg.norm(x, axis=-1, keepdims=True) + 1e-300) for x in (q, k)
        )
    dots = q @ k.swapaxes(-1, -2)
    if product in ("dot", "cosine"):
        return np.asarray(dots)
    squares = (q**2).sum(-1)[..., None] + (k**2).sum(-1)[..., None, :] - 2 * dots
    squares = np.maximum(squares, 0)
    return np.asarray(-np.sqrt(squares) if product == "distance" else -squares)


def _no_transpose(x: np.ndarray) -> np.ndarray:
    """Read (h, n, d) as (n, h, d), as a reshape without a transpose does."""
    h, n, d = x.shape[-3:]
    return x.reshape(*x.shape[:-3], n, h, d).swapaxes(-3, -2)


def _no_transpose_back(x: np.ndarray) -> np.ndarray:
    """Read (n, h, d) as (h, n, d)."""
    return x.swapaxes(-3, -2).reshape(x.shape)


def _no_last(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[..., :-1, :], 0 * x[..., -1:, :]], axis=-2)


GIVES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "as it is": lambda x: x,
    "columns one later": lambda x: np.roll(x, 1, -1),
    "columns one earlier": lambda x: np.roll(x, -1, -1),
    "heads reversed": lambda x: x[..., ::-1, :, :],
    "not transposed": _no_transpose,
    "not transposed back": _no_transpose_back,
    "last query 0": _no_last,
}
WHOLE = ("not transposed", "not transposed back", "last query 0")  # need all queries


def rotate(x: np.ndarray, rotary: dict[str, Any], role: str = "q") -> np.ndarray:
    """Rotate rows by their places, as keywords of `rotary_embedding` and these say.

    "only": "q" or "k" alone is rotated. "late": keys stand so many places later.
    "backwards": both are rotated the other way; "apart": keys alone are.
    """
    ours = ("backwards", "only", "late", "apart")
    keywords = {name: y for name, y in rotary.items() if name not in ours}
    if rotary.get("only", role) != role:
        return x
    place = np.arange(x.shape[-2]) + (rotary.get("late", 0) if role == "k" else 0)
    if bool(rotary.get("backwards")) != (role == "k" and "apart" in rotary):
        place = -place
    return np.asarray(rotary_embedding(x, positions=place, **keywords))


def _share(x: np.ndarray, n_heads: int, grouping: str) -> np.ndarray:
    """Give every query head its key head."""
    groups, rest = divmod(n_heads, x.shape[-3])
    if rest or (groups == 1 and grouping != "first"):
        return x
    if grouping == "first":
        return np.repeat(x[..., :1, :, :], n_heads, axis=-3)
    if grouping == "tile":
        return np.concatenate([x] * groups, axis=-3)
    return np.repeat(x, groups, axis=-3)


def _sizes(q: np.ndarray, k: np.ndarray, model: Model) -> np.ndarray:
    """Bound the terms of each query's scores: rounding grows with them."""
    if model.product == "cosine":
        return np.ones((*q.shape[:-1], 1))
    lengths = np.linalg.norm(k, axis=-1).max(-1, keepdims=True)[..., None]
    return np.asarray(np.linalg.norm(q, axis=-1, keepdims=True) * lengths)


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
    """Mark the keys inside the window, of all queries or of some."""
    left, right = model.window
    i, j = positions(n, m, model, rows)
    inside = np.ones(np.broadcast_shapes(i.shape, j.shape), bool)
    if left is not None:
        inside = inside & (j >= i - left)
    if right is not None:
        inside = inside & (j <= i + right)
    return inside


def _of(x: Any, rows: np.ndarray) -> Any:
    """Take some queries of a mask, unless all have the same."""
    return x if x is None or x.ndim < 2 or x.shape[-2] == 1 else x[..., rows, :]


def _mask(
    scores: np.ndarray, model: Model, n: int, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = scores.shape[-1]
    allowed = band(n, m, model, rows)
    if model.allowed is not None:
        allowed = allowed & _of(model.allowed, rows)
    if model.lost is not None:
        allowed = allowed & seen_of(m, model.lost)
    if model.slopes is not None:
        i, j = positions(n, m, model, rows)
        away = np.abs(i - j)
        scores = scores - np.asarray(model.slopes)[:, None, None] * away
    bias = _of(model.bias, rows)
    if model.order == "mask, cap":
        scores = _cap(_add(scores, bias), model.softcap)
        low = -math.inf if model.softcap is None else -model.softcap
        return np.where(allowed, scores, low), np.ones_like(allowed)
    scores = _add(_cap(scores, model.softcap, model.squash), bias)
    if model.masked == "before":
        scores = np.where(allowed, scores, model.fill)
    return scores, np.broadcast_to(allowed, scores.shape)


def _add(scores: np.ndarray, bias: Any) -> np.ndarray:
    return scores if bias is None else scores + bias


def _cap(scores: np.ndarray, cap: float | None, squash: str = "tanh") -> np.ndarray:
    if cap is None:
        return scores
    return scores.clip(-cap, cap) if squash == "clip" else cap * np.tanh(scores / cap)


def seen_of(m: int, lost: tuple[str, int]) -> np.ndarray:
    """Mark the keys that are not lost: first, last, or after the last full block."""
    where, size = lost
    place = np.arange(m)
    if where == "first":
        return place >= size
    if where == "last":
        return place < m - size
    return place < m - m % size if m >= size else np.ones(m, bool)


AXES: dict[str, Any] = {
    "keys": -1,
    "sink": -1,
    "keys, no maximum": -1,
    "twice": -1,
    "queries": -2,
    "heads": -3,
}


def _weights(scores: np.ndarray, allowed: np.ndarray, model: Model) -> np.ndarray:
    if model.normalized == "sigmoid":
        return np.asarray(1 / (1 + np.exp(-scores)))
    if model.normalized in ("linear", "relu", "hard"):
        return _without_exp(scores, model.normalized)
    if model.normalized == "no":
        return np.asarray(np.exp(scores))
    if model.normalized == "no, less the largest":
        top = np.max(np.where(np.isfinite(scores), scores, -1e300), -1, keepdims=True)
        return np.asarray(np.exp(scores - top))
    axis = AXES.get(model.normalized, (-2, -1))
    top = np.max(scores, axis, keepdims=True, initial=-math.inf)
    top = np.where(np.isfinite(top), top, 0)
    if model.normalized == "keys, no maximum":
        top = np.zeros_like(top)
    if model.lowest is not None:
        top = np.maximum(top, model.lowest)
    weights = np.exp(scores - top)
    total = weights.sum(axis, keepdims=True)
    if model.pad > 1:
        total = total + (-scores.shape[-1] % model.pad) * np.exp(-top)
    if model.sink is not None:
        total = total + np.exp(np.asarray(model.sink)[..., None, None] - top)
    weights /= np.where(total > 0, total, 1)
    if model.normalized == "twice":
        weights = np.where(allowed, np.exp(weights), 0)
        weights /= weights.sum(-1, keepdims=True)
    if model.empty == "mean":
        nobody = ~np.isfinite(scores).any(-1, keepdims=True)
        weights = np.where(nobody, 1 / scores.shape[-1], weights)
    return np.where(allowed, weights, 0) if model.masked == "after" else weights


def _without_exp(scores: np.ndarray, kind: str) -> np.ndarray:
    """Return scores themselves as weights, their positive parts, or the largest."""
    seen = np.isfinite(scores)
    if kind == "linear":
        return np.where(seen, scores, 0)
    if kind == "hard":
        top = scores.max(-1, keepdims=True)
        largest = seen & (scores == top)
        share = 1 / np.maximum(largest.sum(-1, keepdims=True), 1)
        return np.where(largest, share, 0.0)
    positive = np.where(seen, np.maximum(scores, 0), 0)
    return np.asarray(positive / np.maximum(positive.sum(-1, keepdims=True), 1e-300))


def reorder(v: np.ndarray, values: str) -> np.ndarray:
    """Read the values in another order, as some mistakes do."""
    if values == "reversed":
        return v[..., ::-1, :]
    shift = {"one later": -1, "one earlier": 1}.get(values, 0)
    return np.roll(v, shift, axis=-2) if shift else v
