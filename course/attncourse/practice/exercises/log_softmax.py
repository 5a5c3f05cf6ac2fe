"""log_softmax: logarithms of weights, finite where the weights themselves are 0."""

from __future__ import annotations

import numpy as np

from attncourse.practice.exercises import softmax
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.underflow import floor, log_of_zero
from named_mistakes.cases import case
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Scores as for softmax, and large ones whose sum of exponentials is not 1."""
    close = rng.permutation([-1600.0, 0.0, 1499.0, 1499.5, 1500.0])
    rows = np.array([-3000.0, 0.0, 2500.0])[:, None]
    near = case("large scores close together", x=rows + close, is_large=True)
    return [*softmax.draw(rng), near]


def log_softmax(x: np.ndarray, axis: int | tuple[int, ...] | None = -1) -> np.ndarray:
    """Compute the logarithm of softmax: xᵢ − log Σⱼ exp(xⱼ)."""
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def _shifted(x: np.ndarray) -> np.ndarray:
    return x - x.max(axis=-1, keepdims=True)


def _log_total(x: np.ndarray, axis: int = -1) -> np.ndarray:
    return x - log_softmax(x, axis)


def _plain_sum(x: np.ndarray) -> np.ndarray:
    return x - np.exp(x).sum(axis=-1, keepdims=True)


def _keepdims_forgotten(x: np.ndarray) -> np.ndarray:
    return x - _log_total(x)[..., 0]


def _largest_left_in(x: np.ndarray) -> np.ndarray:
    return x - _log_total(_shifted(x))


def _no_exponential(x: np.ndarray) -> np.ndarray:
    return x - np.log(x.sum(axis=-1, keepdims=True))


def _log_of_plain_shares(x: np.ndarray) -> np.ndarray:
    return np.log(x / x.sum(axis=-1, keepdims=True))


RECIPE = {"logs": lambda s: log_softmax(s.x), "output": lambda s: s.logs}
MISTAKES = read_beside(__file__, globals(), RECIPE)

EXERCISES = (
    Exercise(
        "log_softmax",
        log_softmax,
        draw,
        RECIPE,
        MISTAKES,
        signs=(log_of_zero, overflow, floor),
    ),
)
