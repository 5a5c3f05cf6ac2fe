"""From scores to weights: softmax over the keys, or what stands in its place."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from attncheck.model.blocks import BLOCKS
from attncheck.model.fields import Model

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


def _less_the_largest(scores: np.ndarray) -> np.ndarray:
    seen = np.where(np.isfinite(scores), scores, -1e300)
    return np.asarray(np.exp(scores - seen.max(-1, keepdims=True)))


def _positive_parts(scores: np.ndarray) -> np.ndarray:
    positive = np.where(np.isfinite(scores), np.maximum(scores, 0), 0)
    return np.asarray(positive / np.maximum(positive.sum(-1, keepdims=True), 1e-300))


def _largest_alone(scores: np.ndarray) -> np.ndarray:
    largest = np.isfinite(scores) & (scores == scores.max(-1, keepdims=True))
    return np.asarray(largest / np.maximum(largest.sum(-1, keepdims=True), 1))


def _key_maximum(scores: np.ndarray) -> np.ndarray:
    """Subtract the largest score of each key, where that of each query belongs."""
    return _less(scores, scores.max(-2, keepdims=True))


def _maximum_of_another(scores: np.ndarray) -> np.ndarray:
    """Subtract the largest score of query j from those of key j, as without an axis."""
    return _less(scores, scores.max(-1)[..., None, :])


def _less(scores: np.ndarray, subtracted: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - np.where(np.isfinite(subtracted), subtracted, 0))
    total = weights.sum(-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1))


def _sigmoid(scores: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-scores)))


NO_SOFTMAX: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "sigmoid": _sigmoid,
    "no": np.exp,
    "no, less the largest": _less_the_largest,
    "linear": lambda scores: np.where(np.isfinite(scores), scores, 0),
    "relu": _positive_parts,
    "hard": _largest_alone,
    "key maximum": _key_maximum,
    "maximum of another": _maximum_of_another,
    **BLOCKS,
}
