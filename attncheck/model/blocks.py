"""Weights of an online softmax, a block of keys at a time, that goes wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

SIZES = (8, 16, 32, 64, 128)


def _tops(scores: np.ndarray, size: int) -> np.ndarray:
    """Return the largest score in the block of each key; 0 where all are hidden."""
    m = scores.shape[-1]
    starts = np.arange(0, m, size)
    tops = np.maximum.reduceat(scores, starts, axis=-1)
    return np.repeat(tops, size, axis=-1)[..., :m]


def _exp(scores: np.ndarray, tops: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(scores - np.where(np.isfinite(tops), tops, 0)))


def _sum(x: np.ndarray) -> np.ndarray:
    total = x.sum(-1, keepdims=True)
    return np.asarray(np.where(total > 0, total, 1))


def _averaged(scores: np.ndarray, size: int) -> np.ndarray:
    """Weigh each block by itself; blocks that a query sees count alike."""
    weights = _exp(scores, _tops(scores, size))
    m = scores.shape[-1]
    starts = np.arange(0, m, size)
    totals = np.add.reduceat(weights, starts, axis=-1)
    each = np.repeat(np.where(totals > 0, totals, 1), size, axis=-1)[..., :m]
    seen = (totals > 0).sum(-1, keepdims=True)
    return np.asarray(weights / each / np.maximum(seen, 1))


def _not_rescaled(scores: np.ndarray, size: int, what: str) -> np.ndarray:
    """Leave sums as they were when the largest score so far rises."""
    so_far = np.maximum.accumulate(_tops(scores, size), axis=-1)
    left = _exp(scores, so_far)
    right = _exp(scores, scores.max(-1, keepdims=True, initial=-math.inf))
    above = right if what == "sum" else left
    below = right if what == "output" else left
    return np.asarray(above / _sum(below))


def _named() -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    found: dict[str, Callable[[np.ndarray], np.ndarray]] = {}
    for size in SIZES:
        found[f"averaged, {size}"] = partial(_averaged, size=size)
        for what in ("all", "output", "sum"):
            way = partial(_not_rescaled, size=size, what=what)
            found[f"{what} not rescaled, {size}"] = way
    return found


BLOCKS = _named()
