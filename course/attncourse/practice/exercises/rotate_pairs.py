"""rotate_pairs: rotary positions, which turn queries and keys."""

from __future__ import annotations

import numpy as np

from attnlib import rotary_embedding
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of even length, alone and in batches."""
    n, heads = (int(p) for p in rng.permutation([5, 7, 11])[:2])
    shapes = {
        "a few rows": (n, 6),
        "one pair": (n, 2),
        "as many rows as columns": (8, 8),
        "heads": (heads, n, 4),
        "a batch of heads": (2, 3, n, 8),
    }
    return [case(label, x=normal(rng, *shape)) for label, shape in shapes.items()]


def rotary(x: np.ndarray) -> np.ndarray:
    """Attnlib's own answer."""
    return rotary_embedding(x)


def _halves(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def _neighbors(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return x[..., 0::2], x[..., 1::2]


def _interleaved(s) -> np.ndarray:
    """Turn neighbors, and put them back as neighbors."""
    a, b = _neighbors(s.x)
    turned = np.empty(s.x.shape)
    turned[..., 0::2] = a * np.cos(s.angle) - b * np.sin(s.angle)
    turned[..., 1::2] = a * np.sin(s.angle) + b * np.cos(s.angle)
    return turned


def _joined(s, pairs, sign: float = 1.0) -> np.ndarray:
    a, b = pairs(s.x)
    cos, sin = np.cos(s.angle), sign * np.sin(s.angle)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def _made(s, form) -> np.ndarray:
    """Make both halves from a, b, cos and sin, and join them."""
    halves = form(*_halves(s.x), np.cos(s.angle), np.sin(s.angle))
    return np.concatenate(halves, axis=-1)


def _woven(s) -> np.ndarray:
    """Turn halves, and put them back as neighbors."""
    halves = np.split(_joined(s, _halves), 2, axis=-1)
    return np.stack(halves, axis=-1).reshape(s.x.shape)


def _angle_by_column(s) -> np.ndarray:
    """Give the two columns of a pair frequencies of their own."""
    d = s.x.shape[-1]
    angle = s.position / 10_000.0 ** (np.arange(d) / d)
    a, b = _halves(s.x)
    return s.x * np.cos(angle) + np.concatenate([-b, a], axis=-1) * np.sin(angle)


def _no_minus(s) -> np.ndarray:
    a, b = _halves(s.x)
    cos, sin = np.cos(s.angle), np.sin(s.angle)
    return np.concatenate([a * cos + b * sin, a * sin + b * cos], axis=-1)


ROTARY: Steps = {
    "position": lambda s: np.arange(s.x.shape[-2])[:, None],
    "exponent": lambda s: 2 * np.arange(s.x.shape[-1] // 2) / s.x.shape[-1],
    "angle": lambda s: s.position / 10_000.0**s.exponent,
    "output": lambda s: _joined(s, _halves),
}


def _power(s, factor: int) -> np.ndarray:
    return 10_000.0 ** (factor * np.arange(s.x.shape[-1] // 2))


def _along_first(x: np.ndarray) -> np.ndarray:
    return np.arange(x.shape[0]).reshape(-1, *[1] * (x.ndim - 1))


MISTAKES = read_beside(__file__, globals(), ROTARY)

EXERCISES = (Exercise("rotate_pairs", rotary, draw, ROTARY, MISTAKES, has_pairs=True),)
