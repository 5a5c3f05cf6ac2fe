"""layer_norm: every row brought to mean 0 and variance 1."""

from __future__ import annotations

import numpy as np

from attnlib.norms import layer_norm
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside

EPS = 1e-5


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of ordinary, of tiny and of no variance."""
    n, d, batch = sizes(rng, 3)
    flat = np.full((n, d), 3.0)
    flat[0] = normal(rng, d)
    arrays = {
        "rows ≠ columns": 2 * normal(rng, n, d) + 1,
        "a square": normal(rng, n, n),
        "a batch": normal(rng, batch, n, d),
        "a batch of squares": normal(rng, *CUBE),
        "two axes of batches": normal(rng, 2, batch, n, d),
        "a single row": normal(rng, d),
        "rows of tiny variance": 1e-3 * normal(rng, n, d),
        "rows of equal numbers": flat,
    }
    return [_case(rng, label, x) for label, x in arrays.items()]


def _normalized(x: np.ndarray) -> np.ndarray:
    centered = x - x.mean(axis=-1, keepdims=True)
    return centered / np.sqrt(x.var(axis=-1, keepdims=True) + EPS)


def _case(rng: np.random.Generator, label: str, x: np.ndarray) -> Case:
    d = x.shape[-1]
    return case(label, x=x, gain=1 + rng.random(d), bias=normal(rng, d))


NORM: Steps = {
    "mean": lambda s: s.x.mean(axis=-1, keepdims=True),
    "centered": lambda s: s.x - s.mean,
    "variance": lambda s: s.x.var(axis=-1, keepdims=True),
    "deviation": lambda s: np.sqrt(s.variance + EPS),
    "normal": lambda s: s.centered / s.deviation,
    "output": lambda s: s.gain * s.normal + s.bias,
}

AXIS = "the axis of the mean and of the variance: each row is normalized by itself"


AXES = (0, 1, -2, -3, None, (-2, -1))

MISTAKES = read_beside(__file__, globals(), NORM)

EXERCISES = (Exercise("layer_norm", layer_norm, draw, NORM, MISTAKES),)
