"""encoder_layer: attention, add, norm, feed-forward, add, norm."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Steps, mistake
from attncourse.practice.mistakes.transposed import attention_transposed
from attnlib import feed_forward, layer_norm, softmax


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows and the weights with which they attend to each other."""
    n, d, d_ff, batch = sizes(rng, 4)
    shapes = {
        "rows ≠ columns": (n, d, d_ff),
        "a square": (d, d, d),
        "a batch": (batch, n, d, d_ff),
    }
    return [_case(rng, label, *shape) for label, shape in shapes.items()]


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


def _norm(x, axis: int = -1) -> np.ndarray:
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=axis, keepdims=True) + 1e-5)


def _network(s, x, cut=lambda hidden: np.maximum(0, hidden)) -> np.ndarray:
    return cut(x @ s.w_1 + s.b_1) @ s.w_2 + s.b_2


LAYER: Steps = {
    "attended": lambda s: s.weights @ s.x,
    "added": lambda s: s.x + s.attended,
    "middle": lambda s: _norm(s.added),
    "transformed": lambda s: _network(s, s.middle),
    "again": lambda s: s.middle + s.transformed,
    "output": lambda s: _norm(s.again),
}

SUMS = "the two sums: each adds what went into the step just before it"
NORMS = "the two norms: each follows a sum"
NETWORK = "what goes into the network: the rows after the first norm"

WAYS = (
    ("residual-missing", "leaving out the first sum", SUMS,
     {"added": lambda s: s.attended}),
    ("residual-missing", "leaving out the second sum", SUMS,
     {"again": lambda s: s.transformed}),
    ("residual-missing", "leaving out both sums", SUMS,
     {"added": lambda s: s.attended, "again": lambda s: s.transformed}),
    ("input-added-again", "adding x in the second sum too", SUMS,
     {"again": lambda s: s.x + s.transformed}),
    ("sum-before-norm-added", "adding the rows from before the first norm", SUMS,
     {"again": lambda s: s.added + s.transformed}),
    ("norm-missing", "leaving out the first norm", NORMS,
     {"middle": lambda s: s.added}),
    ("norm-missing", "leaving out the second norm", NORMS,
     {"output": lambda s: s.again}),
    ("norm-missing", "leaving out both norms", NORMS,
     {"middle": lambda s: s.added, "output": lambda s: s.again}),
    ("normalised-before", "normalizing before each step in place of after it", NORMS,
     {"attended": lambda s: s.weights @ _norm(s.x), "middle": lambda s: s.added,
      "transformed": lambda s: _network(s, _norm(s.added)),
      "output": lambda s: s.again}),
    ("sum-after-norm", "normalizing before each sum", NORMS,
     {"middle": lambda s: s.x + _norm(s.attended),
      "output": lambda s: s.middle + _norm(s.transformed)}),
    ("wrong-axis", "normalizing columns",
     "the axis of the norms: each word by itself",
     {"middle": lambda s: _norm(s.added, -2), "output": lambda s: _norm(s.again, -2)}),
    ("network-of-input", "feeding x to the network", NETWORK,
     {"transformed": lambda s: _network(s, s.x)}),
    ("network-of-attention", "feeding the attention's output to the network", NETWORK,
     {"transformed": lambda s: _network(s, s.attended)}),
    ("relu-missing", "a network with no cut",
     "the network: negative numbers are cut off between its two products",
     {"transformed": lambda s: _network(s, s.middle, lambda hidden: hidden)}),
)  # fmt: skip
MISTAKES = (
    *(mistake(code, cause, look, **steps) for code, cause, look, steps in WAYS),
    attention_transposed(attended=lambda s: np.swapaxes(s.weights, -1, -2) @ s.x),
)

EXERCISES = (Exercise("encoder_layer", encoder_layer, draw, LAYER, MISTAKES),)
