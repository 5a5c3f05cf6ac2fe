"""encoder_layer: attention, add, norm, feed-forward, add, norm."""

from dataclasses import replace

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.exercises.feed_forward import drawn_network
from attncourse.practice.mistakes.looks import normalized
from attnlib import feed_forward, layer_norm, softmax
from named_mistakes.cases import case, normal, sizes
from named_mistakes.exercise import Case, Steps


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
        **drawn_network(rng, d, d_ff),
    )


def encoder_layer(x, weights, w_1, b_1, w_2, b_2) -> np.ndarray:
    """Pass rows through a post-norm layer whose attention has these weights.

    Values are the rows themselves, gains are 1 and biases of the norms 0.
    """
    ones = np.ones(x.shape[-1])
    middle = layer_norm(x + weights @ x, ones)
    return layer_norm(middle + feed_forward(middle, w_1, b_1, w_2, b_2), ones)


def _rows(x) -> tuple[np.ndarray, np.ndarray]:
    """Center each row, and give its variance."""
    return x - x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)


def _network(s, x, cut=lambda hidden: np.maximum(0, hidden)) -> np.ndarray:
    return cut(x @ s.w_1 + s.b_1) @ s.w_2 + s.b_2


# The norm is a function: what is wrong with it is wrong wherever it is used.
LAYER: Steps = {
    "norm": lambda s: normalized,
    "network": lambda s: lambda x: _network(s, x),
    "attended": lambda s: s.weights @ s.x,
    "added": lambda s: s.x + s.attended,
    "middle": lambda s: s.norm(s.added),
    "transformed": lambda s: s.network(s.middle),
    "again": lambda s: s.middle + s.transformed,
    "output": lambda s: s.norm(s.again),
}


TABLE = """
from attncourse.practice.mistakes import looks
from attncourse.practice.mistakes.looks import gelu

SUMS = the two sums: each adds what went into the step just before it
NORMS = the two norms: each follows a sum
AXIS = the axis of the norms: each word by itself
NETWORK = what goes into the network: the rows after the first norm
CUT = the network: what is negative is cut off between its two products, and only there
BIASES = the biases of the network: b_1 before the cut, b_2 at the end
SPREAD = what the norm divides by: the root of the variance
EPSILON = ε: 1e-5, added to the variance, under the root
MIXTURE = what is added to x first: the mixture by `weights`

residual-missing | {SUMS}
    leaving out the first sum = added: attended
    leaving out the second sum = again: transformed
    leaving out both sums = added: attended, again: transformed

again | input-added-again | {SUMS}
    adding x in the second sum too = x + transformed

again | sum-before-norm-added | {SUMS}
    adding the rows from before the first norm = added + transformed

norm-missing | {NORMS}
    leaving out the first norm = middle: added
    leaving out the second norm = output: again
    leaving out both norms = middle: added, output: again

attended, middle, transformed, output | normalized-before | {NORMS}
    normalizing before each step in place of after it =
        weights @ norm(x), added, network(norm(added)), again

sum-after-norm | {NORMS}
    normalizing before each sum =
        middle: x + norm(attended), output: middle + norm(transformed)
    normalizing before the first sum, not after it = middle: x + norm(attended)
    normalizing before the second sum, not after it = output: middle + norm(transformed)

middle, output | wrong-axis | {AXIS}
    normalizing columns = normalized(added, -2), normalized(again, -2)

transformed | network-of-input | {NETWORK}
    feeding x to the network = network(x)

transformed | network-of-sum | {NETWORK}
    feeding the sum to the network before it is normalized = network(added)

transformed | network-of-attention | {NETWORK}
    feeding the attention's output to the network = network(attended)

network | relu-missing | the network: negative numbers are cut off between its two
        products
    a network with no cut = lambda x: _network(s, x, lambda h: h)

network | relu-at-the-end | {CUT}
    a network that is cut at its end =
        lambda x: np.maximum(0, _network(s, x, lambda h: h))

network | relu-twice | {CUT}
    a network that is cut at its end as well = lambda x: np.maximum(0, _network(s, x))

network | other-activation | {CUT}
    a network with tanh in place of the cut at 0 = lambda x: _network(s, x, np.tanh)
    a network with a sigmoid in place of the cut at 0 =
        lambda x: _network(s, x, lambda h: 1 / (1 + np.exp(-h)))
    a network with GELU in place of the cut at 0 = lambda x: _network(s, x, gelu)
    a network with an absolute value in place of the cut at 0 =
        lambda x: _network(s, x, np.abs)
    a network with a cut at 1 as well in place of the cut at 0 =
        lambda x: _network(s, x, lambda h: np.clip(h, 0, 1))
    a network with what is below 0 kept in place of the cut at 0 =
        lambda x: _network(s, x, lambda h: np.minimum(0, h))

network | maximum-along-axis | {looks.ALONG}
    the largest of a column where the larger of a number and 0 was expected =
        lambda x: _network(s, x, lambda h: np.max(h, 0))

network | bias-ignored | {BIASES}
    a network without b_1 = lambda x: np.maximum(0, x @ w_1) @ w_2 + b_2
    a network without b_2 = lambda x: np.maximum(0, x @ w_1 + b_1) @ w_2
    a network without biases = lambda x: np.maximum(0, x @ w_1) @ w_2

network | bias-after-cut | {BIASES}
    adding b_1 after the cut =
        lambda x: (np.maximum(0, x @ w_1) + b_1) @ w_2 + b_2

norm | unbiased-variance | what the sum of squares is divided by: all d of them
    a variance divided by d − 1 =
        lambda x: _rows(x)[0] / np.sqrt(x.var(axis=-1, keepdims=True, ddof=1) + 1e-5)

norm | variance-not-rooted | {SPREAD}
    dividing by the variance =
        lambda x: _rows(x)[0] / (x.var(axis=-1, keepdims=True) + 1e-5)

norm | deviation-ignored | {SPREAD}
    rows that keep their spread = lambda x: _rows(x)[0] / 1.0

norm | other-spread | {SPREAD}
    adding up the squares where their mean was expected =
        lambda x: _rows(x)[0] / np.linalg.norm(_rows(x)[0], axis=-1, keepdims=True)

norm | other-epsilon | {EPSILON}
    for n in 1, 0.1, 0.01, 0.001, 0.0001, 1e-06, 1e-08: an ε of {n} =
        lambda x: _rows(x)[0] / np.sqrt(x.var(axis=-1, keepdims=True) + {n})

norm | epsilon-outside-root | {EPSILON}
    for n in 1e-05, 1e-06, 0.001: an ε of {n} outside the root =
        lambda x: _rows(x)[0] / (np.sqrt(x.var(axis=-1, keepdims=True)) + {n})

norm | epsilon-missing | {EPSILON}
    no ε, or one that changes nothing =
        lambda x: _rows(x)[0] / np.sqrt(x.var(axis=-1, keepdims=True))

norm | mean-not-subtracted | what is divided: the distance from the mean
    norms that keep the mean = lambda x: x / np.sqrt(_rows(x)[1] + 1e-5)

norm | mean-not-subtracted | what is divided, and what is squared: the distance from the
        mean
    norms that keep the mean and take the variance around 0 =
        lambda x: x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5)

norm | wrong-axis | {AXIS}
    normalizing columns, those of a batch together = lambda x: normalized(x, 0)

norm | normalized-over-everything | {AXIS}
    normalizing all rows together = lambda x: normalized(x, None)

norm-twice | {NORMS}
    a norm of x before all else = attended: weights @ norm(x), added: norm(x) + attended
    a norm of what attention puts out, too = added: x + norm(attended)
    a norm of what the network puts out, too = again: middle + norm(transformed)

attended | order-swapped | which stands first: row i of the weights mixes the rows of x
    x times the weights = x @ weights
    x times the transposed weights = x @ np.swapaxes(weights, -1, -2)

added-once-more | {SUMS}
    adding the rows after the first norm once more = output: norm(again) + middle
    adding x once more at the end = output: norm(again) + x
    adding x in the second sum as well = again: middle + transformed + x

attention-left-out | {MIXTURE}
    x in place of what attention puts out = attended: x
    leaving attention and its sum out = added: x

output | network-left-out | the six moves: which is missing
    leaving the network out = middle

transformed | attention-twice | {NETWORK}
    attending a second time in place of the network = weights @ middle

attended | softmax-twice | what the weights are: shares already, each row with the sum 1
    a softmax over the weights = softmax(weights) @ x

added | added-instead-of-attended | {SUMS}
    multiplying x by what attention puts out = x * attended

attended | weights-transposed | {looks.QUERIES}
    weights with a row for each key = np.swapaxes(weights, -1, -2) @ x
"""

EXERCISE = exercise(globals(), encoder_layer, LAYER)
