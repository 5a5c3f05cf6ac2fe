"""feed_forward: widen each row, cut off what is negative, go back to the old width."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Steps, mistake
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
BIASES = "the biases: b_1 before the cut, b_2 at the end"

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
    ("input-added", "adding the input to the result",
     "what is asked: the network alone; the sum around it is another move",
     {"output": lambda s: s.x + s.hidden @ s.w_2 + s.b_2}),
)  # fmt: skip
MISTAKES = tuple(
    mistake(code, cause, look, **steps) for code, cause, look, steps in WAYS
)

EXERCISES = (Exercise("feed_forward", feed_forward, draw, FORWARD, MISTAKES),)
