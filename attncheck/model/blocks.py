"""Weights of an online softmax, a block of keys at a time, that goes wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

Way = Callable[[np.ndarray, int], np.ndarray]
SIZES = (1, 8, 16, 32, 64, 128)
PARTS = (2, 4, 8)


def _by_block(add: np.ufunc, x: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Add up (or compare) the keys of each block; return it by block, and by key."""
    m = x.shape[-1]
    found = add.reduceat(x, np.arange(0, m, size), axis=-1)
    return found, np.repeat(found, size, axis=-1)[..., :m]


def _tops(scores: np.ndarray, size: int) -> np.ndarray:
    """Return the largest score in the block of each key; −∞ where all are hidden."""
    return _by_block(np.maximum, scores, size)[1]


def _exp(scores: np.ndarray, tops: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(scores - np.where(np.isfinite(tops), tops, 0)))


def _sum(x: np.ndarray) -> np.ndarray:
    total = x.sum(-1, keepdims=True)
    return np.asarray(np.where(total > 0, total, 1))


def _averaged(scores: np.ndarray, size: int) -> np.ndarray:
    """Weigh each block by itself; blocks that a query sees count alike."""
    weights = _exp(scores, _tops(scores, size))
    totals, each = _by_block(np.add, weights, size)
    seen = (totals > 0).sum(-1, keepdims=True)
    return np.asarray(weights / np.where(each > 0, each, 1) / np.maximum(seen, 1))


def _by_maximum(scores: np.ndarray, size: int) -> np.ndarray:
    """Weigh each block by itself; a block counts as exp(its largest score) does."""
    tops = _tops(scores, size)
    weights = _exp(scores, tops)
    _, each = _by_block(np.add, weights, size)
    highest = scores.max(-1, keepdims=True, initial=-math.inf)
    heads = _exp(tops, highest)
    total = heads[..., ::size].sum(-1, keepdims=True)
    shares = heads / np.where(total > 0, total, 1)
    return np.asarray(weights / np.where(each > 0, each, 1) * shares)


def _counted(scores: np.ndarray, size: int, twice: str) -> np.ndarray:
    """Count some keys twice: first ones of blocks, or those of a last, full block."""
    m, times = scores.shape[-1], np.ones(scores.shape[-1])
    if twice == "ends":
        times[size::size] = 2
    elif m > size and m % size:
        times[m - size : m - m % size] = 2
    top = scores.max(-1, keepdims=True, initial=-math.inf)
    weights = times * _exp(scores, top)
    return np.asarray(weights / _sum(weights))


def _not_rescaled(scores: np.ndarray, size: int, what: str) -> np.ndarray:
    """Leave sums as they were when the largest score so far rises."""
    so_far = np.maximum.accumulate(_tops(scores, size), axis=-1)
    left = _exp(scores, so_far)
    right = _exp(scores, scores.max(-1, keepdims=True, initial=-math.inf))
    above = right if what == "sum" else left
    below = right if what == "output" else left
    return np.asarray(above / _sum(below))


def _of_size(scores: np.ndarray, size: int, way: Way) -> np.ndarray:
    return way(scores, size)


def _of_parts(scores: np.ndarray, parts: int, way: Way) -> np.ndarray:
    """Split the keys into so many parts; the last may be shorter."""
    return way(scores, -(-scores.shape[-1] // parts))


def _named() -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    found: dict[str, Callable[[np.ndarray], np.ndarray]] = {}
    merges: dict[str, Way] = {"averaged": _averaged, "by maximum": _by_maximum}
    for size in SIZES:
        for what in ("all", "output", "sum"):
            way = partial(_not_rescaled, size=size, what=what)
            found[f"{what} not rescaled, {size}"] = way
    for size in SIZES[1:]:  # (with a key in each block, there is nothing to weigh)
        for name, merge in merges.items():
            found[f"{name}, {size}"] = partial(_of_size, size=size, way=merge)
        for twice in ("ends", "overlap"):
            found[f"{twice}, {size}"] = partial(_counted, size=size, twice=twice)
    for parts in PARTS:
        for name, merge in merges.items():
            way = partial(_of_parts, parts=parts, way=merge)
            found[f"{name} in parts, {parts}"] = way
    return found


BLOCKS = _named()
