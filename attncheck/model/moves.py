"""Heads, rows and columns: shared, rotated, read in another order."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from attnlib import alibi_bias, rotary_frequencies


def slopes_of(n_heads: int) -> np.ndarray:
    """Return the slopes of ALiBi as published."""
    return -np.asarray(alibi_bias(n_heads, 2))[:, 1, 0]


def share(x: np.ndarray, n_heads: int, grouping: str) -> np.ndarray:
    """Give every query head its key head."""
    groups, rest = divmod(n_heads, x.shape[-3])
    if rest or (groups == 1 and grouping not in ("first", "by count")):
        return x
    if grouping == "first":
        return np.repeat(x[..., :1, :, :], n_heads, axis=-3)
    if grouping == "by count":
        heads = np.minimum(np.arange(n_heads) // x.shape[-3], x.shape[-3] - 1)
        return np.asarray(x[..., heads, :, :])
    if grouping == "tile":
        return np.concatenate([x] * groups, axis=-3)
    return np.repeat(x, groups, axis=-3)


def rotate(
    x: np.ndarray, rotary: dict[str, Any], role: str = "q", more: int = 0
) -> np.ndarray:
    """Rotate rows by their places, in pairs: "interleaved" or not, of a "base".

    "only": "q" or "k" alone is rotated. "late": keys stand so many places later.
    "backwards": both are rotated the other way; "apart": keys alone are. "values":
    they are rotated too, as keys are. "queries": where they are counted from, if it is
    not the first key; `more` says how many keys there are than queries. "step": places
    are multiplied by it. "part": a share of the columns is rotated, or so many.
    "laid": the angles lie as the other pairing wants them. "conjugate": the second
    column of each pair of the keys is negated.
    """
    if rotary.get("only", role) != role or (role == "v" and "values" not in rotary):
        return x
    part = rotary.get("part", 1.0)
    columns = int(part * x.shape[-1]) if part <= 1 else min(int(part), x.shape[-1])
    dim, pairs = columns - columns % 2, rotary["interleaved"]
    if dim == 0:
        return x
    place = rotary.get("late", 0) if role == "k" else 0
    if role == "q" and "queries" in rotary:
        place += more
    step = rotary.get("step", 1)
    if bool(rotary.get("backwards")) != (role == "k" and "apart" in rotary):
        step = -step
    how = pairs != ("laid" in rotary), dim, rotary.get("base", 1e4)
    cos, sin = _angles(place, x.shape[-2], step, *how)
    first, second = _pairs(dim, pairs)
    a, b, found = x[..., first], x[..., second], x.copy()
    found[..., first] = a * cos[:, first] - b * sin[:, first]
    found[..., second] = a * sin[:, second] + b * cos[:, second]
    if role == "k" and "conjugate" in rotary:
        found[..., second] *= -1
    return found


@lru_cache(256)
def _angles(
    first: int, n: int, step: float, interleaved: bool, dim: int, base: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return cosines and sines (n, dim), a column for each of the row's."""
    speed, angles = rotary_frequencies(dim, base=base)[0], np.zeros((n, dim))
    for columns in _pairs(dim, interleaved):
        angles[:, columns] = step * np.arange(first, first + n)[:, None] * speed
    return np.cos(angles), np.sin(angles)


def _pairs(d: int, interleaved: bool) -> tuple[slice, slice]:
    """Return the first and the second column of each pair."""
    if interleaved:
        return np.s_[0:d:2], np.s_[1:d:2]
    return np.s_[: d // 2], np.s_[d // 2 : d]


def reorder(v: np.ndarray, values: str) -> np.ndarray:
    """Read the values in another order, as some mistakes do."""
    if values == "reversed":
        return v[..., ::-1, :]
    shift = {"one later": -1, "one earlier": 1}.get(values, 0)
    return np.roll(v, shift, axis=-2) if shift else v


def _no_transpose(x: np.ndarray) -> np.ndarray:
    """Read (h, n, d) as (n, h, d), as a reshape without a transpose does."""
    h, n, d = x.shape[-3:]
    return x.reshape(*x.shape[:-3], n, h, d).swapaxes(-3, -2)


def _no_transpose_back(x: np.ndarray) -> np.ndarray:
    """Read (n, h, d) as (h, n, d)."""
    return x.swapaxes(-3, -2).reshape(x.shape)


def _exchange_pairs(x: np.ndarray) -> np.ndarray:
    """Exchange heads 0 and 1, 2 and 3 …; a last one without a partner stays."""
    h = x.shape[-3]
    order = np.arange(h) ^ 1
    return x[..., np.where(order < h, order, h - 1), :, :]


def _emptied(x: np.ndarray, row: int, by: int = 0) -> np.ndarray:
    """Put rows so many places later, around the end; one of them is then 0."""
    found = np.roll(x, by, -2)
    found[..., row, :] = 0
    return found


LOSES_LAST = "last query 0"
OUTPUT_ORDERS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "as it is": lambda x: x,
    "columns one later": lambda x: np.roll(x, 1, -1),
    "columns one earlier": lambda x: np.roll(x, -1, -1),
    "heads reversed": lambda x: x[..., ::-1, :, :],
    "heads one later": lambda x: np.roll(x, 1, -3),
    "heads one earlier": lambda x: np.roll(x, -1, -3),
    "heads exchanged in pairs": _exchange_pairs,
    "not transposed": _no_transpose,
    "not transposed back": _no_transpose_back,
    LOSES_LAST: lambda x: _emptied(x, -1),
}


def moved_back(x: np.ndarray, order: str) -> np.ndarray:
    """Undo what OUTPUT_ORDERS does under this name; what is lost stays 0."""
    if order == LOSES_LAST:
        return x
    at = OUTPUT_ORDERS[order](np.arange(x.size).reshape(x.shape))
    found = np.empty(x.size)
    found[at.ravel()] = x.ravel()
    return found.reshape(x.shape)


INPUT_ORDERS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "as it is": ("", lambda x: x),
    "not transposed": ("qkv", _no_transpose),
    "not transposed back": ("qkv", _no_transpose_back),
    "queries not transposed": ("q", _no_transpose),
    "keys not transposed": ("k", _no_transpose),
    "values not transposed": ("v", _no_transpose),
    "queries one head later": ("q", lambda x: np.roll(x, 1, -3)),
    "queries one head earlier": ("q", lambda x: np.roll(x, -1, -3)),
    "values of reversed heads": ("v", lambda x: x[..., ::-1, :, :]),
    "keys one later": ("k", lambda x: _emptied(x, 0, 1)),
    "keys one earlier": ("k", lambda x: _emptied(x, -1, -1)),
    "queries one place later": ("q", lambda x: _emptied(x, 0, 1)),
    "values one later": ("v", lambda x: _emptied(x, 0, 1)),
    "values one earlier": ("v", lambda x: _emptied(x, -1, -1)),
}
