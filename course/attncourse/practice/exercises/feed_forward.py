"""feed_forward: widen each row, cut off what is negative, go back to the old width."""

from __future__ import annotations

import math

import numpy as np

from attncourse.practice.engine.cases import case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Steps, mistake
from attncourse.practice.mistakes.activations import ALONG, gelu
from attncourse.practice.mistakes.normalization import stable
from attncourse.practice.mistakes.transposed import SIDE
from attnlib import feed_forward


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of several widths, and a batch."""
    n, d, d_ff, batch = sizes(rng, 4)
    shapes = {
        "rows ≠ columns": (n, d, d_ff),
        "all widths equal": (d, d, d),
        "a batch": (batch, n, d, d_ff),
    }
    return [_case(rng, label, *shape) for label, shape in shapes.items()]


def _case(rng: np.random.Generator, label: str, *shape: int) -> Case:
    *rows, d, d_ff = shape
    return case(
        label,
        x=normal(rng, *rows, d),
        w_1=normal(rng, d, d_ff),
        b_1=normal(rng, d_ff),
        w_2=normal(rng, d_ff, d),
        b_2=normal(rng, d),
    )


def _cut(x) -> np.ndarray:
    return np.maximum(0, x)


FORWARD: Steps = {
    "widened": lambda s: s.x @ s.w_1 + s.b_1,
    "hidden": lambda s: _cut(s.widened),
    "output": lambda s: s.hidden @ s.w_2 + s.b_2,
}

CUT = "where negative numbers are cut off: once, between the two products"
ACTIVATION = (
    "what is asked of a number: below 0 it is cut off, above 0 it stays as it is"
)
BIASES = "the biases: b_1 before the cut, b_2 at the end"


def _norm(x: np.ndarray) -> np.ndarray:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


WAYS = (
    ("relu-missing", "two products with no cut between them", CUT,
     {"hidden": lambda s: s.widened}),
    ("relu-at-the-end", "cutting after the second product", CUT,
     {"hidden": lambda s: s.widened,
      "output": lambda s: _cut(s.widened @ s.w_2 + s.b_2)}),
    ("relu-twice", "cutting after each of the two products", CUT,
     {"output": lambda s: _cut(s.hidden @ s.w_2 + s.b_2)}),
    ("cut-on-the-other-side", "keeping what is negative", CUT,
     {"hidden": lambda s: np.minimum(0, s.widened)}),
    ("absolute-value", "turning negative numbers into positive ones", CUT,
     {"hidden": lambda s: np.abs(s.widened)}),
    ("bias-ignored", "leaving b_1 out", BIASES, {"widened": lambda s: s.x @ s.w_1}),
    ("bias-ignored", "leaving b_2 out", BIASES, {"output": lambda s: s.hidden @ s.w_2}),
    ("bias-ignored", "leaving both biases out", BIASES,
     {"widened": lambda s: s.x @ s.w_1, "output": lambda s: s.hidden @ s.w_2}),
    ("bias-after-cut", "adding b_1 after the cut", BIASES,
     {"hidden": lambda s: _cut(s.x @ s.w_1) + s.b_1}),
    *(("other-activation", f"{name} in place of the cut at 0", ACTIVATION,
       {"hidden": lambda s, f=f: f(s.widened)})
      for name, f in (
          ("a cut at 0 and at 1", lambda x: np.clip(x, 0, 1)),
          ("a cut at 0 and at 6", lambda x: np.clip(x, 0, 6)),
          ("tanh", np.tanh),
          ("a sigmoid", lambda x: 1 / (1 + np.exp(-x))),
          ("GELU", lambda x: x / (1 + np.exp(-1.702 * x))),
          ("GELU", gelu),
          ("GELU", lambda x: x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2),
          ("x · sigmoid(x)", lambda x: x / (1 + np.exp(-x))),
          ("a softplus", lambda x: np.log1p(np.exp(x))),
          ("a square", np.square),
          ("a softmax", stable),
          ("a slope of 0.01 below 0", lambda x: np.maximum(x, 0.01 * x)),
          ("a slope of 0.1 below 0", lambda x: np.maximum(x, 0.1 * x)),
          ("a slope of 0.2 below 0", lambda x: np.maximum(x, 0.2 * x)),
          ("1 for what is above 0, and 0 for the rest,", lambda x: (x > 0) * 1.0))),
    ("maximum-along-axis", "the largest of a column where the larger of a number and 0 "
     "was expected", ALONG, {"hidden": lambda s: np.max(s.widened, 0)}),
    ("maximum-along-axis", "the largest of all numbers in the place of each",
     "what np.max and max give: one number; np.maximum(a, 0) is another",
     {"hidden": lambda s: np.maximum(np.max(s.widened), 0) + 0 * s.widened}),
    ("cut-at-another-place", "the larger of a number and 1", ACTIVATION,
     {"hidden": lambda s: np.maximum(s.widened, 1)}),
    ("cut-at-another-place", "cutting x @ w_1 off at b_1, not adding it", BIASES,
     {"widened": lambda s: np.maximum(s.x @ s.w_1, s.b_1),
      "hidden": lambda s: s.widened}),
    ("bias-multiplied", "multiplying by b_1", BIASES,
     {"widened": lambda s: s.x @ s.w_1 * s.b_1}),
    ("bias-multiplied", "multiplying by b_2", BIASES,
     {"output": lambda s: s.hidden @ s.w_2 * s.b_2}),
    ("bias-as-column", "adding b_1 to columns, a number to each row", BIASES,
     {"widened": lambda s: s.x @ s.w_1 + s.b_1[:, None]}),
    ("bias-as-column", "adding b_2 to columns, a number to each row", BIASES,
     {"output": lambda s: s.hidden @ s.w_2 + s.b_2[:, None]}),
    ("relu-on-input", "cutting x before the first product", CUT,
     {"widened": lambda s: _cut(s.x) @ s.w_1 + s.b_1, "hidden": lambda s: s.widened}),
    ("relu-on-input", "cutting x too, before the first product", CUT,
     {"widened": lambda s: _cut(s.x) @ s.w_1 + s.b_1}),
    ("bias-subtracted", "subtracting b_1", BIASES,
     {"widened": lambda s: s.x @ s.w_1 - s.b_1}),
    ("bias-subtracted", "subtracting b_2", BIASES,
     {"output": lambda s: s.hidden @ s.w_2 - s.b_2}),
    ("bias-repeated", "adding b_2 before the second product as well", BIASES,
     {"output": lambda s: (s.hidden + s.b_2) @ s.w_2 + s.b_2}),
    ("biases-swapped", "the two biases in each other's place", BIASES,
     {"widened": lambda s: s.x @ s.w_1 + s.b_2,
      "output": lambda s: s.hidden @ s.w_2 + s.b_1}),
    ("bias-repeated", "adding b_1 twice and b_2 not at all", BIASES,
     {"output": lambda s: s.hidden @ s.w_2 + s.b_1}),
    ("order-swapped", "w_2 first and w_1 second", "which product widens the rows",
     {"widened": lambda s: s.x @ s.w_2 + s.b_1,
      "output": lambda s: s.hidden @ s.w_1 + s.b_2}),
    ("weights-transposed", "using w_1 transposed", SIDE,
     {"widened": lambda s: s.x @ s.w_1.T + s.b_1}),
    ("weights-transposed", "using w_2 transposed", SIDE,
     {"output": lambda s: s.hidden @ s.w_2.T + s.b_2}),
    ("weights-transposed", "using both weights transposed", SIDE,
     {"widened": lambda s: s.x @ s.w_1.T + s.b_1,
      "output": lambda s: s.hidden @ s.w_2.T + s.b_2}),
    ("second-product-missing", "stopping at the widened rows",
     "what is left to do: going back to the old width",
     {"output": lambda s: s.hidden}),
    ("brackets-missing", "a cut after everything, and b_1 @ w_2 before it",
     "where the brackets of the cut close, and what @ multiplies",
     {"output": lambda s: _cut(s.x @ s.w_1 + s.b_1 @ s.w_2 + s.b_2)}),
    ("input-added", "adding the input to the result, and normalizing",
     "what is asked: the network alone; sum and norm are other moves",
     {"output": lambda s: _norm(s.x + s.hidden @ s.w_2 + s.b_2)}),
    ("input-added", "adding the input to the result",
     "what is asked: the network alone; the sum around it is another move",
     {"output": lambda s: s.x + s.hidden @ s.w_2 + s.b_2}),
)  # fmt: skip
MISTAKES = tuple(
    mistake(code, cause, look, **steps) for code, cause, look, steps in WAYS
)

EXERCISES = (Exercise("feed_forward", feed_forward, draw, FORWARD, MISTAKES),)
