"""The whole step, in float64: the mask, and the output of query, key, value."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from attncheck.formats import round_to
from attncheck.model.fields import EPS, Model, band, compiled, positions, scale_of
from attncheck.model.moves import INPUT_ORDERS, OUTPUT_ORDERS, reorder, rotate, share
from attncheck.model.softmax import weigh


def mask_scores(
    scores: np.ndarray, model: Model, n: int, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores, capped and with −∞ where hidden, and the mask."""
    m = scores.shape[-1]
    allowed = band(n, m, model, rows)
    if model.allowed is not None:
        allowed = allowed & _of(model.allowed, rows)
    if model.dropped_keys is not None:
        known = {"j": np.arange(m), "m": m}
        allowed = allowed & eval(compiled(model.dropped_keys), known)
    scores = scores + by_distance(n, m, model, rows)
    bias = 0.0 if model.bias is None else _of(model.bias, rows)
    if model.order == "mask, cap":
        scores = cap_scores(scores + bias, model.softcap)
        low = -math.inf if model.softcap is None else -model.softcap
        return np.where(allowed, scores, low), np.ones_like(allowed)
    scores = cap_scores(scores, model.softcap, model.squash) + bias
    if model.masked == "before":
        scores = np.where(allowed, scores, model.fill)
    return scores, allowed


def by_distance(
    n: int, m: int, model: Model, rows: np.ndarray | None = None
) -> np.ndarray | float:
    """Return what is added to scores for key − query: slopes, a table (heads, n, m)."""
    found: np.ndarray | float = 0.0
    if model.slopes is not None:
        counted = model.change(alignment=model.slopes_from or model.alignment)
        i, j = positions(n, m, counted, rows)
        away = i - j if model.slopes_signed else np.abs(i - j)
        found = found - np.asarray(model.slopes)[:, None, None] * away
    if model.relative is not None:
        table, (i, j) = np.asarray(model.relative), positions(n, m, model, rows)
        place = j - i + table.shape[-1] // 2
        found = found + table[:, place.clip(0, table.shape[-1] - 1)]
    return found


def _of(x: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Take some queries of a mask, unless all have the same."""
    return x if x.ndim < 2 or x.shape[-2] == 1 else x[..., rows, :]


def cap_scores(
    scores: np.ndarray, cap: float | None, squash: str = "tanh"
) -> np.ndarray:
    """Bend large scores, or clip them."""
    if cap is None:
        return scores
    return scores.clip(-cap, cap) if squash == "clip" else cap * np.tanh(scores / cap)


NORMALIZED = ("cosine", "rms", *EPS)  # products of rows brought to one length


class Attended(NamedTuple):
    """What a model computes, and the sizes that its rounding depends on."""

    scores: np.ndarray  # scaled and capped, masked by −∞
    weights: np.ndarray
    value: np.ndarray  # a row for every key and query head
    output: np.ndarray
    spread: np.ndarray  # |weights| @ |value|, moved as the output is
    terms: np.ndarray  # the size of each row's largest score before its terms cancel


def attend(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    model: Model,
    rows: np.ndarray | None = None,
) -> Attended:
    """Compute what a model computes, on arrays (..., n_heads, n, d).

    With `rows`, only those queries are computed: not of a model that takes all.
    """
    if model.layout == "bnhd":
        q, k, v = (x.swapaxes(-2, -3) for x in (query, key, value))
        found = attend(q, k, v, model.change(layout="bhnd"))
        return Attended(*(np.asarray(x).swapaxes(-2, -3) for x in found))
    if model.heads is not None:
        of_key, of_value = model.heads
        key, value = key[..., of_key, :, :], value[..., of_value, :, :]
    if model.rounded:
        query, key = (round_to(x, model.rounded) for x in (query, key))
    given = {"q": query, "k": key, "v": value}
    roles, move = INPUT_ORDERS[model.input_order]
    given |= {role: move(given[role]) for role in roles}
    q, k, v = (given[role] for role in model.roles)
    n = q.shape[-2]
    rows = np.arange(n) if rows is None else rows
    k, v = (share(x, q.shape[-3], model.grouping) for x in (k, v))
    if model.rotary is not None:
        q = rotate(q, model.rotary, "q", k.shape[-2] - q.shape[-2])
        k = rotate(k, model.rotary, "k")
        v = rotate(v, model.rotary, "v")
    q = q[..., rows, :]
    c = scale_of(model.scale, q.shape[-1], q.shape[-3])
    if model.columns is not None:
        q, k = (x[..., slice(*model.columns)] for x in (q, k))
    scores, size = c * products(q, k, model.product), abs(c) * _sizes(q, k, model)
    scores, allowed = mask_scores(scores, model, n, rows)
    weights = weigh(scores, allowed, model)
    if model.kept is not None:
        weights = np.where(_of(model.kept, rows), weights, 0)
    if model.values == "of transposed weights":
        weights = weights.swapaxes(-1, -2)
    v = reorder(v, model.values)
    plus = np.zeros(1)
    if model.adds:
        plus = share(given[model.adds], scores.shape[-3], model.grouping)[..., rows, :]
    move = OUTPUT_ORDERS[model.output_order]
    outputs = (weights @ v + plus, np.abs(weights) @ np.abs(v) + np.abs(plus), size)
    return Attended(scores, weights, v, *map(move, outputs))


def normalized(x: np.ndarray, product: str) -> np.ndarray:
    """Give rows the length 1 ("cosine"), or a root mean square of 1 ("rms")."""
    square = (x**2).sum(-1, keepdims=True)
    square = square if product == "cosine" else square / x.shape[-1]
    return np.asarray(x / (np.sqrt(square + EPS.get(product, 0)) + 1e-300))


def products(q: np.ndarray, k: np.ndarray, product: str) -> np.ndarray:
    """Multiply queries with keys, or compare them in another way: without a scale."""
    if product in NORMALIZED:
        q, k = (normalized(x, product) for x in (q, k))
    if product in ("halves", "reversed"):
        by_half = np.roll(k, k.shape[-1] // 2, -1)
        k, product = by_half if product == "halves" else k[..., ::-1], "dot"
    if product == "reshaped":
        return np.asarray(q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]))
    dots = q @ k.swapaxes(-1, -2)
    if product in ("dot", *NORMALIZED):
        return np.asarray(dots)
    squares = (q**2).sum(-1)[..., None] + (k**2).sum(-1)[..., None, :] - 2 * dots
    squares = np.maximum(squares, 0)
    return np.asarray(-np.sqrt(squares) if product == "distance" else -squares)


def _sizes(q: np.ndarray, k: np.ndarray, model: Model) -> np.ndarray:
    """Bound the terms of each query's scores: rounding grows with them."""
    if model.product in NORMALIZED:
        largest = 1.0 if model.product == "cosine" else float(q.shape[-1])
        return np.full((*q.shape[:-1], 1), largest)
    longest = (k**2).sum(-1).max(-1)[..., None, None]
    return np.asarray(np.sqrt((q**2).sum(-1, keepdims=True)) * np.sqrt(longest))
