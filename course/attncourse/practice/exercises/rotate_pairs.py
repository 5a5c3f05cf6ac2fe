"""rotate_pairs: rotary positions, which turn queries and keys."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib import rotary_embedding


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


def _neighbours(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return x[..., 0::2], x[..., 1::2]


def _interleaved(s) -> np.ndarray:
    """Turn neighbors, and put them back as neighbors."""
    a, b = _neighbours(s.x)
    turned = np.empty(s.x.shape)
    turned[..., 0::2] = a * np.cos(s.angle) - b * np.sin(s.angle)
    turned[..., 1::2] = a * np.sin(s.angle) + b * np.cos(s.angle)
    return turned


def _joined(s, pairs, sign: float = 1.0) -> np.ndarray:
    a, b = pairs(s.x)
    cos, sin = np.cos(s.angle), sign * np.sin(s.angle)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


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

PAIRS = "which columns make a pair: column i and column i + d/2"
EXPONENT = "the exponent of 10000: 2i/d for pair i"
WAYS = {
    "output": {
        "pairs-interleaved": (
            PAIRS,
            ("pairing neighbors, columns 0 and 1 and so on", _interleaved),
            (
                "pairing neighbors and joining halves",
                lambda s: _joined(s, _neighbours),
            ),
        ),
        "rotates-backwards": (
            "the signs of the sines: (a cos − b sin, a sin + b cos)",
            ("a turn the other way", lambda s: _joined(s, _halves, -1.0)),
        ),
        "minus-missing": (
            "the signs of the sines: (a cos − b sin, a sin + b cos)",
            ("a turn without a minus", _no_minus),
        ),
    },
    "position": {
        "starts-at-one": (
            "the first row: it stands at position 0 and is not turned",
            (
                "positions that start at 1",
                lambda s: np.arange(1, s.x.shape[-2] + 1)[:, None],
            ),
        ),
    },
    "exponent": {
        "exponent-doubled": (
            EXPONENT,
            (
                "an exponent of twice the size",
                lambda s: 4 * np.arange(s.x.shape[-1] // 2) / s.x.shape[-1],
            ),
        ),
        "exponent-halved": (
            EXPONENT,
            (
                "an exponent of half the size",
                lambda s: np.arange(s.x.shape[-1] // 2) / s.x.shape[-1],
            ),
        ),
    },
    "angle": {
        "same-turn-for-all": (
            "the angle: later pairs turn more slowly",
            (
                "turning all pairs by the position itself",
                lambda s: s.position + 0 * s.exponent,
            ),
        ),
        "multiplied-by-frequency": (
            "the angle: later pairs turn more slowly",
            (
                "multiplying by the power of 10000",
                lambda s: s.position * 10_000.0**s.exponent,
            ),
        ),
    },
}
MISTAKES = tuple(one for step, ways in WAYS.items() for one in mistakes_in(step, ways))

EXERCISES = (Exercise("rotate_pairs", rotary, draw, ROTARY, MISTAKES),)
