"""Weights of an online softmax, a block of keys at a time, that goes wrong."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

Starts = np.ndarray  # the first key of each block
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


def _by_block(add: np.ufunc, x: np.ndarray, starts: Starts) -> np.ndarray:
    """Add up (or compare) the keys of each block; return it by key."""
    found = add.reduceat(x, starts, axis=-1)
    lengths = np.diff(np.append(starts, x.shape[-1]))
    return np.asarray(np.repeat(found, lengths, axis=-1))


def _exp(scores: np.ndarray, tops: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(scores - np.where(np.isfinite(tops), tops, 0)))


def _highest(scores: np.ndarray) -> np.ndarray:
    return np.asarray(np.max(scores, -1, keepdims=True, initial=-math.inf))


def _divided(weights: np.ndarray, by: np.ndarray) -> np.ndarray:
    total = by.sum(-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1))


def _merged(
    scores: np.ndarray, number: int, starts: Callable[[int, int], Starts], way: str
) -> np.ndarray:
    """Weigh each block by itself, and put the blocks together wrongly."""
    at = starts(scores.shape[-1], number)
    tops = _by_block(np.maximum, scores, at)
    weights = _exp(scores, tops)
    sums = _by_block(np.add, weights, at)
    count = MERGES[way](np.where(sums > 0, sums, 1), _exp(tops, _highest(scores)))
    weights = weights * count
    return weights if way == "added" else _divided(weights, weights)


# How much a block counts, given its sum and exp(its largest score − that of the row).
MERGES: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    "averaged": lambda sums, tops: 1 / sums,
    "added": lambda sums, tops: 1 / sums,
    "by maximum": lambda sums, tops: tops / sums,
    "by sum": lambda sums, tops: 1,
}


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
    weights = times * _exp(scores, _highest(scores))
    return _divided(weights, weights)


def _not_rescaled(scores: np.ndarray, size: int, what: str) -> np.ndarray:
    """Leave sums as they were when the largest score so far rises."""
    starts = starts_of_blocks(scores.shape[-1], size)
    tops = _by_block(np.maximum, scores, starts)
    left = _exp(scores, np.maximum.accumulate(tops, axis=-1))
    right = _exp(scores, _highest(scores))
    above = right if what == "sum" else left
    return _divided(above, right if what == "output" else left)


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
            for merge in MERGES:
                way = partial(_merged, number=number, starts=starts, way=merge)
                found[f"{merge}{where}, {number}"] = way
    return found


BLOCKS = _named()
