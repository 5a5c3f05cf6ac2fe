"""head_effect: how far another ending moves a word's weight from noun to noun."""

from __future__ import annotations

import numpy as np

from attnlib import softmax
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw the weights of one pair of sentences and of several, in several heads."""
    shapes = {
        "one pair of sentences": ((), 5, 7),
        "one head": ((), 1, 7),
        "as many heads as sentences": ((), 2, 5),
        "as many heads as words": ((), 7, 7),
        "several pairs": ((3,), 5, 7),
        "several batches of pairs": ((2, 3), 2, 5),
    }
    return [_case(rng, label, *sizes) for label, sizes in shapes.items()]


def _case(
    rng: np.random.Generator, label: str, batch: tuple, n_heads: int, n: int
) -> Case:
    weights = softmax(2 * normal(rng, *batch, 2, n_heads, n, n))
    it, a, b = (int(place) for place in rng.permutation(n)[:3])
    return case(label, axes=4, weights=weights, it=it, a=a, b=b)


def head_effect(weights: np.ndarray, it: int, a: int, b: int) -> np.ndarray:
    """Return each head's preference with the first ending less that with the second."""
    row = weights[..., it, :]  # (..., 2, n_heads, n_tokens)
    preference = row[..., a] - row[..., b]
    return preference[..., 0, :] - preference[..., 1, :]


EFFECT: Steps = {
    "row": lambda s: s.weights[..., s.it, :],
    "preference": lambda s: s.row[..., s.a] - s.row[..., s.b],
    "effect": lambda s: s.preference[..., 0, :] - s.preference[..., 1, :],
}


def _last(s) -> int:
    return s.preference.shape[-1] - 1


MISTAKES = read_beside(__file__, globals(), EFFECT)

EXERCISES = (
    Exercise(
        "head_effect",
        head_effect,
        draw,
        EFFECT,
        MISTAKES,
        returns=("effect",),
    ),
)
