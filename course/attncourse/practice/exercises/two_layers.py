"""two_layers: a step of attention, its sum, then another step with its own."""

import math
from collections.abc import Sequence

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.mistakes.normalization import stable
from named_mistakes.cases import case, normal, sizes
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows, and the four matrices of each head."""
    n, d, batch = sizes(rng, 3)
    shapes = {"rows ≠ columns": (n, d), "a square": (d, d), "a batch": (batch, n, d)}
    return [_case(rng, label, *shape) for label, shape in shapes.items()]


def _case(rng: np.random.Generator, label: str, *shape: int) -> Case:
    d = shape[-1]
    gather, find = (normal(rng, 4, d, d) / math.sqrt(d) for _ in range(2))
    return case(label, x=normal(rng, *shape), gather=gather, find=find)


def attend(x: np.ndarray, head: Sequence[np.ndarray], asks=None) -> np.ndarray:
    """Return what one head with these four matrices puts out for these rows.

    With ``asks``, queries are made of these rows, and keys and values of ``x``.
    """
    w_query, w_key, w_value, w_output = head
    query = (x if asks is None else asks) @ w_query
    scores = query @ np.swapaxes(x @ w_key, -1, -2)
    return stable(scores / math.sqrt(query.shape[-1])) @ (x @ w_value) @ w_output


def two_layers(x, gather, find) -> np.ndarray:
    """Pass rows through two layers of one head each, without networks and norms."""
    x = x + attend(x, gather)
    return x + attend(x, find)


def _over_queries(x: np.ndarray, head: Sequence[np.ndarray]) -> np.ndarray:
    w_query, w_key, w_value, w_output = head
    scores = x @ w_query @ np.swapaxes(x @ w_key, -1, -2) / math.sqrt(x.shape[-1])
    weights = np.swapaxes(stable(np.swapaxes(scores, -1, -2)), -1, -2)
    return weights @ (x @ w_value) @ w_output


# A step is a function: what is wrong with it is wrong in both layers.
LAYERS: Steps = {
    "step": lambda s: attend,
    "update": lambda s: s.step(s.x, s.gather),
    "between": lambda s: s.x + s.update,
    "second": lambda s: s.step(s.between, s.find),
    "output": lambda s: s.between + s.second,
}


TABLE = """
from attncourse.practice.mistakes import scale

SUMS = the two sums: each adds what went into the step just before it
ASKS = what the second step reads: the rows that the first one has made
ORDER = which head works first: gather, and then find
HEAD = the four matrices of a head: for queries, keys, values and the output

residual-missing | {SUMS}
    leaving out the first sum = between: update
    leaving out the second sum = output: second
    leaving out both sums = between: update, output: second

output | input-added-again | {SUMS}
    adding x in the second sum too = x + second

output | added-once-more | {SUMS}
    adding x once more at the end = between + second + x
    adding the first update once more at the end = between + second + update

second | heads-side-by-side | {ASKS}
    giving x to both heads = step(x, find)

second | update-alone-read | {ASKS}
    giving the first update alone to the second head = step(update, find)

second | query-from-input | {ASKS}
    asking with x in the second step = attend(between, find, asks=x)

second | keys-from-input | {ASKS}
    taking keys and values of the second step from x = attend(x, find, asks=between)

update, second | order-swapped | {ORDER}
    find before gather = step(x, find), step(between, gather)

second | first-head-twice | {ORDER}
    gather in both steps = step(between, gather)

update | second-head-twice | {ORDER}
    find in both steps = step(x, find)

output | one-layer | the number of layers: there are two
    stopping after the first layer = between

step | missing-scale | {scale.DIVISOR}
    leaving the scores unscaled =
        lambda x, head: attend(x, [math.sqrt(x.shape[-1]) * head[0], *head[1:]])

step | query-key-swapped | {HEAD}
    queries from the second matrix, keys from the first =
        lambda x, head: attend(x, [head[1], head[0], *head[2:]])

step | missing-output-projection | {HEAD}
    leaving out the product with w_output =
        lambda x, head: attend(x, [*head[:3], np.eye(x.shape[-1])])

step | value-left-out | {HEAD}
    mixing the rows themselves, with no product with w_value =
        lambda x, head: attend(x, [*head[:2], np.eye(x.shape[-1]), head[3]])

step | wrong-axis | the axis of softmax: the weights of a query add up to 1
    a softmax over the queries = _over_queries
"""

EXERCISE = exercise(globals(), two_layers, LAYERS)
