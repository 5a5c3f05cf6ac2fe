"""rotary_attention: queries and keys are turned by their positions, values are not."""

from __future__ import annotations

import numpy as np

from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.normalization import stable
from attnlib import (
    rotary_embedding,
    scaled_dot_product_attention,
    sinusoidal_positional_encoding,
)
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of even length, alone, in heads and in batches."""
    n, more = (int(p) for p in rng.permutation([5, 7, 11])[:2])
    sizes = {
        "one text": ((n,), 8, 6),
        "another text, d_v = d_k": ((more,), 6, 6),
        "heads": ((3, n), 4, 8),
        "a batch of heads": ((2, 3, n), 6, 4),
    }
    return [
        case(
            label,
            axes=3,
            query=normal(rng, *rows, d_k),
            key=normal(rng, *rows, d_k),
            value=normal(rng, *rows, d_v),
        )
        for label, (rows, d_k, d_v) in sizes.items()
    ]


def reference(query, key, value):
    """Attnlib's own answer."""
    turned = rotary_embedding(query), rotary_embedding(key)
    return scaled_dot_product_attention(*turned, value)


def _neighbors(x: np.ndarray) -> np.ndarray:
    return rotary_embedding(x, interleaved=True)


ROTARY: Steps = {
    "turned_query": lambda s: rotary_embedding(s.query),
    "turned_key": lambda s: rotary_embedding(s.key),
    "values": lambda s: s.value,
    "scores": lambda s: s.turned_query @ s.turned_key.mT,
    "scaled": plain.ATTENTION["scaled"],
    "weights": lambda s: stable(s.scaled),
    "output": lambda s: s.weights @ s.values,
}


def _plainly(s) -> np.ndarray:
    return stable(s.query @ s.key.mT / s.query.shape[-1] ** 0.5) @ s.value


def _with(s, **how) -> np.ndarray:
    return rotary_embedding(s.query, **how) @ rotary_embedding(s.key, **how).mT


def _over_first(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(rotary_embedding(np.swapaxes(x, 0, -2)), 0, -2)


def _backwards(x: np.ndarray) -> np.ndarray:
    return rotary_embedding(x, positions=-np.arange(x.shape[-2]))


def _conjugated(x: np.ndarray) -> np.ndarray:
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first, -second], axis=-1)


def _apart(s, step: int) -> np.ndarray:
    places = np.arange(s.query.shape[-2]) + step
    return rotary_embedding(s.query, positions=places) @ s.turned_key.mT


def _added(x: np.ndarray) -> np.ndarray:
    return x + sinusoidal_positional_encoding(*x.shape[-2:])


MISTAKES = read_beside(__file__, globals(), ROTARY)

EXERCISES = (
    Exercise("rotary_attention", reference, draw, ROTARY, MISTAKES, has_pairs=True),
)
