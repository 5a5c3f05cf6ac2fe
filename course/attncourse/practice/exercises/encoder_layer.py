"""encoder_layer: attention, add, norm, feed-forward, add, norm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attncourse.practice.engine.cases import case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Steps, mistake
from attncourse.practice.mistakes.activations import ALONG, gelu
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
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=axis, keepdims=True) + 1e-5)


def _rows(x) -> tuple[np.ndarray, np.ndarray]:
    """Center each row, and give its variance."""
    return x - x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)


def _spread(how) -> dict[str, object]:
    """Divide the centered rows by something else."""
    return {"norm": lambda s: lambda x: _rows(x)[0] / how(x)}


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

SUMS = "the two sums: each adds what went into the step just before it"
NORMS = "the two norms: each follows a sum"
NETWORK = "what goes into the network: the rows after the first norm"

CUT = (
    "the network: what is negative is cut off between its two products, and only there"
)
BIASES = "the biases of the network: b_1 before the cut, b_2 at the end"
EPSILON = "ε: 1e-5, added to the variance, under the root"
SPREAD = "what the norm divides by: the root of the variance"

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
     {"attended": lambda s: s.weights @ s.norm(s.x), "middle": lambda s: s.added,
      "transformed": lambda s: s.network(s.norm(s.added)),
      "output": lambda s: s.again}),
    ("sum-after-norm", "normalizing before each sum", NORMS,
     {"middle": lambda s: s.x + s.norm(s.attended),
      "output": lambda s: s.middle + s.norm(s.transformed)}),
    ("sum-after-norm", "normalizing before the first sum, not after it", NORMS,
     {"middle": lambda s: s.x + s.norm(s.attended)}),
    ("sum-after-norm", "normalizing before the second sum, not after it", NORMS,
     {"output": lambda s: s.middle + s.norm(s.transformed)}),
    ("wrong-axis", "normalizing columns",
     "the axis of the norms: each word by itself",
     {"middle": lambda s: _norm(s.added, -2), "output": lambda s: _norm(s.again, -2)}),
    ("network-of-input", "feeding x to the network", NETWORK,
     {"transformed": lambda s: s.network(s.x)}),
    ("network-of-attention", "feeding the attention's output to the network", NETWORK,
     {"transformed": lambda s: s.network(s.attended)}),
    ("relu-missing", "a network with no cut",
     "the network: negative numbers are cut off between its two products",
     {"network": lambda s: lambda x: _network(s, x, _as_it_is)}),
    ("relu-at-the-end", "a network that is cut at its end", CUT,
     {"network": lambda s: lambda x: np.maximum(0, _network(s, x, _as_it_is))}),
    ("relu-twice", "a network that is cut at its end as well", CUT,
     {"network": lambda s: lambda x: np.maximum(0, _network(s, x))}),
    *(("other-activation", f"a network with {name} in place of the cut at 0", CUT,
       {"network": lambda s, f=f: lambda x: _network(s, x, f)})
      for name, f in (
          ("tanh", np.tanh), ("a sigmoid", lambda h: 1 / (1 + np.exp(-h))),
          ("GELU", gelu), ("an absolute value", np.abs),
          ("a cut at 1 as well", lambda h: np.clip(h, 0, 1)),
          ("what is below 0 kept", lambda h: np.minimum(0, h)))),
    ("maximum-along-axis", "the largest of a column where the larger of a number and 0 "
     "was expected", ALONG,
     {"network": lambda s: lambda x: _network(s, x, lambda h: np.max(h, 0))}),
    ("bias-ignored", "a network without b_1", BIASES,
     {"network": lambda s: lambda x: np.maximum(0, x @ s.w_1) @ s.w_2 + s.b_2}),
    ("bias-ignored", "a network without b_2", BIASES,
     {"network": lambda s: lambda x: np.maximum(0, x @ s.w_1 + s.b_1) @ s.w_2}),
    ("bias-ignored", "a network without biases", BIASES,
     {"network": lambda s: lambda x: np.maximum(0, x @ s.w_1) @ s.w_2}),
    ("bias-after-cut", "adding b_1 after the cut", BIASES,
     {"network": lambda s: lambda x: _cut_first(s, x) @ s.w_2 + s.b_2}),
    ("unbiased-variance", "a variance divided by d − 1",
     "what the sum of squares is divided by: all d of them",
     _spread(lambda x: np.sqrt(x.var(axis=-1, keepdims=True, ddof=1) + 1e-5))),
    ("variance-not-rooted", "dividing by the variance", SPREAD,
     _spread(lambda x: x.var(axis=-1, keepdims=True) + 1e-5)),
    ("deviation-ignored", "rows that keep their spread", SPREAD,
     _spread(lambda x: 1.0)),
    ("other-spread", "adding up the squares where their mean was expected", SPREAD,
     _spread(lambda x: np.linalg.norm(_rows(x)[0], axis=-1, keepdims=True))),
    *(("other-epsilon", f"an ε of {eps:g}", EPSILON,
       _spread(lambda x, eps=eps: np.sqrt(x.var(axis=-1, keepdims=True) + eps)))
      for eps in (1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8)),
    *(("epsilon-outside-root", f"an ε of {eps:g} outside the root", EPSILON,
       _spread(lambda x, eps=eps: np.sqrt(x.var(axis=-1, keepdims=True)) + eps))
      for eps in (1e-5, 1e-6, 1e-3)),
    ("epsilon-missing", "no ε, or one that changes nothing", EPSILON,
     _spread(lambda x: np.sqrt(x.var(axis=-1, keepdims=True)))),
    ("mean-not-subtracted", "norms that keep the mean",
     "what is divided: the distance from the mean",
     {"norm": lambda s: lambda x: x / np.sqrt(_rows(x)[1] + 1e-5)}),
    ("mean-not-subtracted", "norms that keep the mean and take the variance around 0",
     "what is divided, and what is squared: the distance from the mean",
     {"norm": lambda s: lambda x: x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5)}),
    ("wrong-axis", "normalizing columns, those of a batch together",
     "the axis of the norms: each word by itself",
     {"norm": lambda s: lambda x: _norm(x, 0)}),
    ("normalised-over-everything", "normalizing all rows together",
     "the axis of the norms: each word by itself",
     {"norm": lambda s: lambda x: _norm(x, None)}),
    ("norm-twice", "a norm of x before all else", NORMS,
     {"attended": lambda s: s.weights @ s.norm(s.x),
      "added": lambda s: s.norm(s.x) + s.attended}),
    ("norm-twice", "a norm of what attention puts out, too", NORMS,
     {"added": lambda s: s.x + s.norm(s.attended)}),
    ("norm-twice", "a norm of what the network puts out, too", NORMS,
     {"again": lambda s: s.middle + s.norm(s.transformed)}),
    ("order-swapped", "x times the weights", "which stands first: row i of the weights "
     "mixes the rows of x", {"attended": lambda s: s.x @ s.weights}),
    ("order-swapped", "x times the transposed weights", "which stands first: row i of "
     "the weights mixes the rows of x",
     {"attended": lambda s: s.x @ np.swapaxes(s.weights, -1, -2)}),
    ("added-once-more", "adding the rows after the first norm once more", SUMS,
     {"output": lambda s: s.norm(s.again) + s.middle}),
    ("added-once-more", "adding x once more at the end", SUMS,
     {"output": lambda s: s.norm(s.again) + s.x}),
    ("added-once-more", "adding x in the second sum as well", SUMS,
     {"again": lambda s: s.middle + s.transformed + s.x}),
    ("attention-left-out", "x in place of what attention puts out",
     "what is added to x first: the mixture by `weights`",
     {"attended": lambda s: s.x}),
    ("attention-left-out", "leaving attention and its sum out",
     "what is added to x first: the mixture by `weights`", {"added": lambda s: s.x}),
    ("network-left-out", "leaving the network out", "the six moves: which is missing",
     {"output": lambda s: s.middle}),
    ("attention-twice", "attending a second time in place of the network", NETWORK,
     {"transformed": lambda s: s.weights @ s.middle}),
    ("softmax-twice", "a softmax over the weights",
     "what the weights are: shares already, each row with the sum 1",
     {"attended": lambda s: softmax(s.weights) @ s.x}),
    ("added-instead-of-attended", "multiplying x by what attention puts out", SUMS,
     {"added": lambda s: s.x * s.attended}),
)  # fmt: skip
MISTAKES = (
    *(mistake(code, cause, look, **steps) for code, cause, look, steps in WAYS),
    attention_transposed(attended=lambda s: np.swapaxes(s.weights, -1, -2) @ s.x),
)

EXERCISES = (Exercise("encoder_layer", encoder_layer, draw, LAYER, MISTAKES),)
