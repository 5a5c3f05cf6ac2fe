"""Weights of an online softmax, a block of keys at a time, that goes wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

Starts = np.ndarray  # the first key of each block
Way = Callable[[np.ndarray, Starts], np.ndarray]
SIZES = (1, 2, 3, 4, 5, 8, 16, 32, 64, 128)
PARTS = (2, 3, 4, 8)


def starts_of_blocks(m: int, size: int) -> Starts:
    """Return where blocks of so many keys begin; the last may be shorter."""
    return np.arange(0, m, size)


def starts_of_parts(m: int, parts: int) -> Starts:
    """Return where so many parts begin; the last may be shorter, or missing."""
    return np.arange(0, m, -(-m // parts))


def starts_of_even_parts(m: int, parts: int) -> Starts:
    """Return where so many parts begin whose lengths differ by one key at most."""
    short, longer = divmod(m, parts)
    lengths = np.full(parts, short) + (np.arange(parts) < longer)
    return np.unique(np.cumsum(lengths) - lengths)


def _by_block(
    add: np.ufunc, x: np.ndarray, starts: Starts
) -> tuple[np.ndarray, np.ndarray]:
    """Add up (or compare) the keys of each block; return it by block, and by key."""
    m = x.shape[-1]
    found = add.reduceat(x, starts, axis=-1)
    return found, np.repeat(found, np.diff(np.append(starts, m)), axis=-1)


def _tops(scores: np.ndarray, starts: Starts) -> np.ndarray:
    """Return the largest score in the block of each key; −∞ where all are hidden."""
    return _by_block(np.maximum, scores, starts)[1]


def _exp(scores: np.ndarray, tops: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(scores - np.where(np.isfinite(tops), tops, 0)))


def _sum(x: np.ndarray) -> np.ndarray:
    total = x.sum(-1, keepdims=True)
    return np.asarray(np.where(total > 0, total, 1))


def _averaged(scores: np.ndarray, starts: Starts) -> np.ndarray:
    """Weigh each block by itself; blocks that a query sees count alike."""
    weights = _exp(scores, _tops(scores, starts))
    totals, each = _by_block(np.add, weights, starts)
    seen = (totals > 0).sum(-1, keepdims=True)
    return np.asarray(weights / np.where(each > 0, each, 1) / np.maximum(seen, 1))


def _added(scores: np.ndarray, starts: Starts) -> np.ndarray:
    """Weigh each block by itself; their outputs are added up."""
    weights = _exp(scores, _tops(scores, starts))
    _, each = _by_block(np.add, weights, starts)
    return np.asarray(weights / np.where(each > 0, each, 1))


def _by_maximum(scores: np.ndarray, starts: Starts) -> np.ndarray:
    """Weigh each block by itself; a block counts as exp(its largest score) does."""
    tops = _tops(scores, starts)
    weights = _exp(scores, tops)
    _, each = _by_block(np.add, weights, starts)
    highest = scores.max(-1, keepdims=True, initial=-math.inf)
    heads = _exp(tops, highest)
    total = heads[..., starts].sum(-1, keepdims=True)
    shares = heads / np.where(total > 0, total, 1)
    return np.asarray(weights / np.where(each > 0, each, 1) * shares)


def _by_sum(scores: np.ndarray, starts: Starts) -> np.ndarray:
    """Subtract each block's own largest score, and never make up for it."""
    weights = _exp(scores, _tops(scores, starts))
    return np.asarray(weights / _sum(weights))


def _counted(scores: np.ndarray, size: int, twice: str) -> np.ndarray:
    """Count keys twice: first ones of blocks, or those before a last, full block."""
    m, times = scores.shape[-1], np.ones(scores.shape[-1])
    rest = m % size
    if twice == "ends":
        times[size::size] = 2
    elif m > size and rest and twice == "overlap":
        times[m - size : m - rest] = 2
    elif m > size and rest:  # the last block begins too early, and ends too early
        times[m - rest :] = 0
        times[m - size : m - size + rest] += 1
    top = scores.max(-1, keepdims=True, initial=-math.inf)
    weights = times * _exp(scores, top)
    return np.asarray(weights / _sum(weights))


def _not_rescaled(scores: np.ndarray, size: int, what: str) -> np.ndarray:
    """Leave sums as they were when the largest score so far rises."""
    starts = starts_of_blocks(scores.shape[-1], size)
    so_far = np.maximum.accumulate(_tops(scores, starts), axis=-1)
    left = _exp(scores, so_far)
    right = _exp(scores, scores.max(-1, keepdims=True, initial=-math.inf))
    above = right if what == "sum" else left
    below = right if what == "output" else left
    return np.asarray(above / _sum(below))


def _merged(
    scores: np.ndarray, number: int, starts: Callable[[int, int], Starts], way: Way
) -> np.ndarray:
    return way(scores, starts(scores.shape[-1], number))


MERGES: dict[str, Way] = {
    "averaged": _averaged,
    "added": _added,
    "by maximum": _by_maximum,
    "by sum": _by_sum,
}


def _named() -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    found: dict[str, Callable[[np.ndarray], np.ndarray]] = {}
    for size in SIZES:
        for what in ("all", "output", "sum"):
            way = partial(_not_rescaled, size=size, what=what)
            found[f"{what} not rescaled, {size}"] = way
    for size in SIZES[1:]:  # (with a key in each block, there is nothing to weigh)
        for twice in ("ends", "overlap", "clamped"):
            found[f"{twice}, {size}"] = partial(_counted, size=size, twice=twice)
    splits: dict[str, tuple[Callable[[int, int], Starts], tuple[int, ...]]] = {
        "": (starts_of_blocks, SIZES[1:]),
        " in parts": (starts_of_parts, PARTS),
        " in even parts": (starts_of_even_parts, PARTS),
    }
    for where, (starts, numbers) in splits.items():
        for number in numbers:
            for name, merge in MERGES.items():
                way = partial(_merged, number=number, starts=starts, way=merge)
                found[f"{name}{where}, {number}"] = way
    return found


BLOCKS = _named()
