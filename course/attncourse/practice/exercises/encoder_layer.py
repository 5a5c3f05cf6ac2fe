"""encoder_layer: attention, add, norm, feed-forward, add, norm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attnlib import feed_forward, layer_norm, softmax
from named_mistakes.cases import case, normal, sizes
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows and the weights with which they attend to each other."""
    n, d, d_ff, batch = sizes(rng, 4)
    shapes = {
        "rows ≠ columns": (n, d, d_ff),
        "a square": (d, d, d),
        "a batch": (batch, n, d, d_ff),
    }
    cases = [_case(rng, label, *shape) for label, shape in shapes.items()]
    return [*cases, _nearly_level(rng, n, d, d_ff)]


def _nearly_level(rng: np.random.Generator, n: int, d: int, d_ff: int) -> Case:
    """Draw rows that hardly vary: there the size of ε counts, and where it stands."""
    one = _case(rng, "rows of tiny variance", n, d, d_ff)
    x = normal(rng, n, 1) + 2e-3 * normal(rng, n, d)
    return replace(one, inputs={**one.inputs, "x": x})


def _case(rng: np.random.Generator, label: str, *shape: int) -> Case:
    *rows, d, d_ff = shape
    return case(
        label,
        x=normal(rng, *rows, d),
        weights=softmax(2 * normal(rng, *rows, rows[-1])),
        w_1=normal(rng, d, d_ff),
        b_1=normal(rng, d_ff),
        w_2=normal(rng, d_ff, d),
        b_2=normal(rng, d),
    )


def encoder_layer(x, weights, w_1, b_1, w_2, b_2) -> np.ndarray:
    """Pass rows through a post-norm layer whose attention has these weights.

    Values are the rows themselves, gains are 1 and biases of the norms 0.
    """
    ones = np.ones(x.shape[-1])
    middle = layer_norm(x + weights @ x, ones)
    return layer_norm(middle + feed_forward(middle, w_1, b_1, w_2, b_2), ones)


def _norm(x, axis: int | None = -1) -> np.ndarray:
    centered = x - x.mean(axis=axis, keepdims=True)
    return centered / np.sqrt((centered**2).mean(axis=axis, keepdims=True) + 1e-5)


def _rows(x) -> tuple[np.ndarray, np.ndarray]:
    """Center each row, and give its variance."""
    return x - x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)


def _network(s, x, cut=lambda hidden: np.maximum(0, hidden)) -> np.ndarray:
    return cut(x @ s.w_1 + s.b_1) @ s.w_2 + s.b_2


def _as_it_is(hidden: np.ndarray) -> np.ndarray:
    return hidden


def _cut_first(s, x: np.ndarray) -> np.ndarray:
    return np.maximum(0, x @ s.w_1) + s.b_1


# The norm is a function: what is wrong with it is wrong wherever it is used.
LAYER: Steps = {
    "norm": lambda s: _norm,
    "network": lambda s: lambda x: _network(s, x),
    "attended": lambda s: s.weights @ s.x,
    "added": lambda s: s.x + s.attended,
    "middle": lambda s: s.norm(s.added),
    "transformed": lambda s: s.network(s.middle),
    "again": lambda s: s.middle + s.transformed,
    "output": lambda s: s.norm(s.again),
}


MISTAKES = read_beside(__file__, globals(), LAYER)

EXERCISES = (Exercise("encoder_layer", encoder_layer, draw, LAYER, MISTAKES),)
