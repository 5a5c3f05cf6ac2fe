"""From scores to weights: softmax over the keys, or what stands in its place."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from attncheck.model.fields import Model

Way = Callable[[np.ndarray], np.ndarray]  # from scores to weights
Starts = np.ndarray  # the first key of each block


def _by_block(add: np.ufunc, x: np.ndarray, starts: Starts) -> np.ndarray:
    """Add up (or compare) the keys of each block; return it by key."""
    found = add.reduceat(x, starts, axis=-1)
    lengths = np.diff(np.append(starts, x.shape[-1]))
    return np.asarray(np.repeat(found, lengths, axis=-1))


def finite(scores: np.ndarray) -> np.ndarray:
    """Return the scores, with 0 where they are hidden."""
    return np.where(np.isfinite(scores), scores, 0)


def raised(scores: np.ndarray, tops: np.ndarray) -> np.ndarray:
    """Return exp(scores − tops), where tops are finite."""
    return np.asarray(np.exp(scores - finite(tops)))


def highest(scores: np.ndarray) -> np.ndarray:
    """Return the largest score of each query."""
    return np.asarray(np.max(scores, -1, keepdims=True, initial=-math.inf))


def divided(weights: np.ndarray, by: np.ndarray | None = None) -> np.ndarray:
    """Divide weights by their sum over the keys, or that of others, unless it is 0."""
    total = (weights if by is None else by).sum(-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1))


# How much a block counts, given its sum and exp(its largest score − that of the row).
MERGES: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    "averaged": lambda sums, tops: 1 / sums,
    "added": lambda sums, tops: 1 / sums,
    "by maximum": lambda sums, tops: tops / sums,
    "by sum": lambda sums, tops: 1,  # the largest score is never made up for
}


def _merged(scores: np.ndarray, size: int, way: str, parts: bool) -> np.ndarray:
    """Weigh each block, or so many parts, by itself; put them together wrongly."""
    m = scores.shape[-1]
    starts = np.arange(0, m, -(-m // size) if parts else size)
    tops = _by_block(np.maximum, scores, starts)
    weights = raised(scores, tops)
    sums = _by_block(np.add, weights, starts)
    count = MERGES[way](np.where(sums > 0, sums, 1), raised(tops, highest(scores)))
    weights = weights * count
    return weights if way == "added" else divided(weights)


def _overlapping(scores: np.ndarray, size: int) -> np.ndarray:
    """Count keys twice: those before a last block that is moved back to be full."""
    m, times = scores.shape[-1], np.ones(scores.shape[-1])
    if m > size and m % size:
        times[m - size : m - m % size] = 2
    return divided(times * raised(scores, highest(scores)))


def _not_rescaled(scores: np.ndarray, size: int, what: str) -> np.ndarray:
    """Leave sums as they were when the largest score so far rises."""
    starts = np.arange(0, scores.shape[-1], size)
    tops = _by_block(np.maximum, scores, starts)
    left = raised(scores, np.maximum.accumulate(tops, axis=-1))
    right = raised(scores, highest(scores))
    above = right if what == "sum" else left
    return divided(above, right if what == "output" else left)


# An online softmax that goes wrong: given scores, and how large or how many blocks.
ONLINE: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "overlap": _overlapping,
    **{
        f"{what} not rescaled": partial(_not_rescaled, what=what)
        for what in ("all", "output", "sum")
    },
    **{way: partial(_merged, way=way, parts=False) for way in MERGES},
    **{f"{way} in parts": partial(_merged, way=way, parts=True) for way in MERGES},
}


Axes = int | tuple[int, int]
AXES: dict[str, Axes] = {"queries": -2, "heads": -3, "all": (-2, -1)}  # else the keys


def weigh(scores: np.ndarray, allowed: np.ndarray, model: Model) -> np.ndarray:
    """Turn scores into weights; `allowed` is the mask."""
    way, _, size = model.normalized.rpartition(", ")  # as "overlap, 16"
    if way in ONLINE:
        return ONLINE[way](scores, int(size))
    if model.normalized in NO_SOFTMAX:
        return np.asarray(NO_SOFTMAX[model.normalized](scores))
    weights = model.factor * _softmax(scores, model)
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
    top = finite(np.max(scores, axis, keepdims=True, initial=-math.inf))
    if model.normalized == "keys, no maximum":
        top = np.zeros_like(top)
    return top if model.lowest is None else np.maximum(top, model.lowest)


NO_SOFTMAX: dict[str, Way] = {
    "sigmoid": lambda s: 1 / (1 + np.exp(-s)),
    "no": np.exp,
    "no, less the largest": lambda s: raised(s, highest(s)),
    "linear": finite,
    "relu": lambda s: divided(np.maximum(finite(s), 0)),
    "hard": lambda s: divided(np.isfinite(s) & (s == highest(s))),
    # The largest score of each key is subtracted, where that of each query belongs.
    "key maximum": lambda s: divided(raised(s, s.max(-2, keepdims=True))),
    # The largest score of query j is subtracted from those of key j: an axis is gone.
    "maximum of another": lambda s: divided(raised(s, s.max(-1)[..., None, :])),
}
