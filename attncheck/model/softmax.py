"""From scores to weights: softmax over the keys, or what stands in its place."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from attncheck.model.fields import Model

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


def raised(scores: np.ndarray, tops: np.ndarray) -> np.ndarray:
    """Return exp(scores − tops), where tops are finite."""
    return np.asarray(np.exp(scores - np.where(np.isfinite(tops), tops, 0)))


def highest(scores: np.ndarray) -> np.ndarray:
    """Return the largest score of each query."""
    return np.asarray(np.max(scores, -1, keepdims=True, initial=-math.inf))


def divided(weights: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Divide weights by the sum of these over the keys, unless it is 0."""
    total = by.sum(-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1))


def _merged(
    scores: np.ndarray, number: int, starts: Callable[[int, int], Starts], way: str
) -> np.ndarray:
    """Weigh each block by itself, and put the blocks together wrongly."""
    at = starts(scores.shape[-1], number)
    tops = _by_block(np.maximum, scores, at)
    weights = raised(scores, tops)
    sums = _by_block(np.add, weights, at)
    count = MERGES[way](np.where(sums > 0, sums, 1), raised(tops, highest(scores)))
    weights = weights * count
    return weights if way == "added" else divided(weights, weights)


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
    weights = times * raised(scores, highest(scores))
    return divided(weights, weights)


def _not_rescaled(scores: np.ndarray, size: int, what: str) -> np.ndarray:
    """Leave sums as they were when the largest score so far rises."""
    starts = starts_of_blocks(scores.shape[-1], size)
    tops = _by_block(np.maximum, scores, starts)
    left = raised(scores, np.maximum.accumulate(tops, axis=-1))
    right = raised(scores, highest(scores))
    above = right if what == "sum" else left
    return divided(above, right if what == "output" else left)


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


Axes = int | tuple[int, int]
AXES: dict[str, Axes] = {"queries": -2, "heads": -3, "all": (-2, -1)}  # else the keys


def weigh(scores: np.ndarray, allowed: np.ndarray, model: Model) -> np.ndarray:
    """Turn scores into weights; `allowed` says who sees whom."""
    if model.normalized in NO_SOFTMAX:
        return np.asarray(NO_SOFTMAX[model.normalized](scores))
    m = scores.shape[-1]
    factor: Any = {"n_keys": m, "1/n_keys": 1 / m}.get(str(model.factor), model.factor)
    weights = factor * _softmax(scores, model)
    if model.normalized == "twice":
        weights = np.where(allowed, np.exp(weights), 0)
        weights /= weights.sum(-1, keepdims=True)
    if model.empty == "mean":
        nobody = ~np.isfinite(scores).any(-1, keepdims=True)
        weights = np.where(nobody, 1 / scores.shape[-1], weights)
    return np.where(allowed, weights, 0) if model.masked == "after" else weights


def _softmax(scores: np.ndarray, model: Model) -> np.ndarray:
    axis = AXES.get(model.normalized, -1)
    top = _subtracted(scores, model, axis)
    weights = np.asarray(np.exp(scores - top))
    total = weights.sum(axis, keepdims=True)
    if model.pad > 1:
        total = total + (-scores.shape[-1] % model.pad) * np.exp(-top)
    if model.sink is not None:
        total = total + np.exp(np.asarray(model.sink)[..., None, None] - top)
    return np.asarray(weights / np.where(total > 0, total, 1))


def _subtracted(scores: np.ndarray, model: Model, axis: Axes) -> np.ndarray:
    """Return what is subtracted from the scores: their maximum, or what stands for it.

    It cancels, unless exp overflows or underflows.
    """
    top = np.max(scores, axis, keepdims=True, initial=-math.inf)
    top = np.where(np.isfinite(top), top, 0)
    if model.normalized == "keys, no maximum":
        top = np.zeros_like(top)
    return top if model.lowest is None else np.maximum(top, model.lowest)


def _positive_parts(scores: np.ndarray) -> np.ndarray:
    positive = np.where(np.isfinite(scores), np.maximum(scores, 0), 0)
    return divided(positive, positive)


def _largest_alone(scores: np.ndarray) -> np.ndarray:
    largest = np.isfinite(scores) & (scores == highest(scores))
    return divided(largest, largest)


def _less(scores: np.ndarray, subtracted: np.ndarray) -> np.ndarray:
    weights = raised(scores, subtracted)
    return divided(weights, weights)


NO_SOFTMAX: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "sigmoid": lambda scores: 1 / (1 + np.exp(-scores)),
    "no": np.exp,
    "no, less the largest": lambda scores: raised(scores, highest(scores)),
    "linear": lambda scores: np.where(np.isfinite(scores), scores, 0),
    "relu": _positive_parts,
    "hard": _largest_alone,
    # The largest score of each key is subtracted, where that of each query belongs.
    "key maximum": lambda scores: _less(scores, scores.max(-2, keepdims=True)),
    # The largest score of query j is subtracted from those of key j: an axis is gone.
    "maximum of another": lambda scores: _less(scores, scores.max(-1)[..., None, :]),
    **BLOCKS,
}
