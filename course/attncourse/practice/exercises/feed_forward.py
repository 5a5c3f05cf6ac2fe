"""feed_forward: widen each row, cut off what is negative, go back to the old width."""

from typing import Any

import numpy as np

from attncourse.practice.exercise import exercise
from attnlib import feed_forward
from named_mistakes.cases import case, normal, sizes
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of several widths, a batch, and a bias that no other cut lets pass."""
    n, d, d_ff, batch = sizes(rng, 4)
    shapes = {
        "rows ≠ columns": (n, d, d_ff),
        "all widths equal": (d, d, d),
        "a batch": (batch, n, d, d_ff),
    }
    cases = [_case(rng, label, *shape) for label, shape in shapes.items()]
    large = _case(rng, "a large bias", n, d, d_ff)
    large.inputs["b_1"] += 10
    return [*cases, large]


def _case(rng: np.random.Generator, label: str, *shape: int) -> Case:
    *rows, d, d_ff = shape
    return case(label, x=normal(rng, *rows, d), **drawn_network(rng, d, d_ff))


def drawn_network(rng: np.random.Generator, d: int, d_ff: int) -> dict[str, Any]:
    """Draw the weights and the biases of a network."""
    shapes = {"w_1": (d, d_ff), "b_1": (d_ff,), "w_2": (d_ff, d), "b_2": (d,)}
    return {name: normal(rng, *shape) for name, shape in shapes.items()}


def _cut(x) -> np.ndarray:
    return np.maximum(0, x)


FORWARD: Steps = {
    "widened": lambda s: s.x @ s.w_1 + s.b_1,
    "hidden": lambda s: _cut(s.widened),
    "output": lambda s: s.hidden @ s.w_2 + s.b_2,
}


TABLE = """
import math
from attncourse.practice.mistakes import looks
from attncourse.practice.mistakes.looks import gelu, normalized
from attncourse.practice.mistakes.normalization import stable

CUT = where negative numbers are cut off: once, between the two products
BIASES = the biases: b_1 before the cut, b_2 at the end
ACTIVATION = what is asked of a number: below 0 it is cut off, above 0 it stays as it is

hidden | relu-missing | {CUT}
    two products with no cut between them = widened

hidden, output | relu-at-the-end | {CUT}
    cutting after the second product = widened, _cut(widened @ w_2 + b_2)

output | relu-twice | {CUT}
    cutting after each of the two products = _cut(hidden @ w_2 + b_2)

hidden | cut-on-the-other-side | {CUT}
    keeping what is negative = np.minimum(0, widened)

hidden | absolute-value | {CUT}
    turning negative numbers into positive ones = np.abs(widened)

bias-ignored | {BIASES}
    leaving b_1 out = widened: x @ w_1
    leaving b_2 out = output: hidden @ w_2
    leaving both biases out = widened: x @ w_1, output: hidden @ w_2

hidden | bias-after-cut | {BIASES}
    adding b_1 after the cut = _cut(x @ w_1) + b_1

hidden | other-activation | {ACTIVATION}
    for n in 1, 6: a cut at 0 and at {n} in place of the cut at 0 =
        np.clip(widened, 0, {n})
    tanh in place of the cut at 0 = np.tanh(widened)
    a sigmoid in place of the cut at 0 = 1 / (1 + np.exp(-widened))
    GELU in place of the cut at 0 = widened / (1 + np.exp(-1.702 * widened))
    GELU in place of the cut at 0 = gelu(widened)
    GELU in place of the cut at 0 =
        widened * (1 + np.vectorize(math.erf)(widened / math.sqrt(2))) / 2
    x · sigmoid(x) in place of the cut at 0 = widened / (1 + np.exp(-widened))
    a softplus in place of the cut at 0 = np.log1p(np.exp(widened))
    a square in place of the cut at 0 = np.square(widened)
    a softmax in place of the cut at 0 = stable(widened)
    for n in 0.01, 0.1, 0.2: a slope of {n} below 0 in place of the cut at 0 =
        np.maximum(widened, {n} * widened)
    1 for what is above 0, and 0 for the rest, in place of the cut at 0 =
        (widened > 0) * 1.0

hidden | maximum-along-axis | {looks.ALONG}
    the largest of a column where the larger of a number and 0 was expected =
        np.max(widened, 0)

hidden | maximum-along-axis | what np.max and max give: one number; np.maximum(a, 0) is
        another
    the largest of all numbers in the place of each =
        np.maximum(np.max(widened), 0) + 0 * widened

hidden | cut-at-another-place | {ACTIVATION}
    the larger of a number and 1 = np.maximum(widened, 1)

widened, hidden | cut-at-another-place | {BIASES}
    cutting x @ w_1 off at b_1, not adding it = np.maximum(x @ w_1, b_1), widened

bias-multiplied | {BIASES}
    multiplying by b_1 = widened: x @ w_1 * b_1
    multiplying by b_2 = output: hidden @ w_2 * b_2

bias-as-column | {BIASES}
    adding b_1 to columns, a number to each row = widened: x @ w_1 + b_1[:, None]
    adding b_2 to columns, a number to each row = output: hidden @ w_2 + b_2[:, None]

relu-on-input | {CUT}
    cutting x before the first product = widened: _cut(x) @ w_1 + b_1, hidden: widened
    cutting x too, before the first product = widened: _cut(x) @ w_1 + b_1

bias-subtracted | {BIASES}
    subtracting b_1 = widened: x @ w_1 - b_1
    subtracting b_2 = output: hidden @ w_2 - b_2

output | bias-repeated | {BIASES}
    adding b_2 before the second product as well = (hidden + b_2) @ w_2 + b_2

widened, output | biases-swapped | {BIASES}
    the two biases in each other's place = x @ w_1 + b_2, hidden @ w_2 + b_1

output | bias-repeated | {BIASES}
    adding b_1 twice and b_2 not at all = hidden @ w_2 + b_1

widened, output | order-swapped | which product widens the rows
    w_2 first and w_1 second = x @ w_2 + b_1, hidden @ w_1 + b_2

weights-transposed | {looks.SIDE}
    using w_1 transposed = widened: x @ w_1.T + b_1
    using w_2 transposed = output: hidden @ w_2.T + b_2
    using both weights transposed =
        widened: x @ w_1.T + b_1, output: hidden @ w_2.T + b_2

output | second-product-missing | what is left to do: going back to the old width
    stopping at the widened rows = hidden

output | brackets-missing | where the brackets of the cut close, and what @ multiplies
    a cut after everything, and b_1 @ w_2 before it = _cut(x @ w_1 + b_1 @ w_2 + b_2)

output | input-added | what is asked: the network alone; sum and norm are other moves
    adding the input to the result, and normalizing = normalized(x + hidden @ w_2 + b_2)

output | input-added | what is asked: the network alone; the sum around it is another
        move
    adding the input to the result = x + hidden @ w_2 + b_2
"""

EXERCISE = exercise(globals(), feed_forward, FORWARD)
