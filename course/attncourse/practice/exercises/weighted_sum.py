"""weighted_sum: each output mixes the values, with its own row of weights."""

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.mistakes.normalization import stable
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.exercise import Case


def draw(rng: np.random.Generator) -> list[Case]:
    """Weights that sum to 1 in each row, and values, of several shapes."""
    n_q, n_k, d_v, batch = sizes(rng, 4)
    shapes = {
        "all sizes different": ((n_q, n_k), (n_k, d_v)),
        "n_queries = n_keys": ((n_k, n_k), (n_k, d_v)),
        "n_keys = d_v": ((n_q, n_k), (n_k, n_k)),
        "n_queries = d_v": ((n_q, n_k), (n_k, n_q)),
        "all sizes equal": ((n_k, n_k), (n_k, n_k)),
        "a batch": ((batch, n_q, n_k), (batch, n_k, d_v)),
        "a batch of squares": (CUBE, CUBE),
        "two axes of batches": ((2, batch, n_q, n_k), (2, batch, n_k, d_v)),
    }
    return [
        case(label, weights=stable(normal(rng, *weights)), value=normal(rng, *value))
        for label, (weights, value) in shapes.items()
    ]


def _products(s) -> np.ndarray:
    """Multiply each weight by its value: (..., n_queries, n_keys, d_v)."""
    return s.shares[..., None] * s.value[..., None, :, :]


def _for_each_query(s, row: np.ndarray) -> np.ndarray:
    """Give every query the same row."""
    row = row[..., None, :]
    return np.broadcast_to(row, (*s.shares.shape[:-1], row.shape[-1]))


WEIGHTED = {
    "shares": lambda s: s.weights,
    "mixed": lambda s: s.shares @ s.value,
    "output": lambda s: s.mixed,
}


TABLE = """
from attncourse.practice.mistakes import looks

IGNORED = where the weights come in: each query has its own share of every value
OVER = what is added up: one product for each key
INNER = the sizes that have to agree: there is one weight for each value
SHARES = what the weights are: shares already, to be used as they are

shares | weights-transposed | {looks.QUERIES}
    weights with a row for each key = weights.mT

shares | softmax-twice | what the weights are: shares already, each row with the sum 1
    a softmax over the weights = stable(weights)

output | result-transposed | what a row of the output is: the mixture of one query
    an output with a column for each query = mixed.mT

mixed | mean-instead-of-weighted | {IGNORED}
    the plain mean of the values = _for_each_query(s, value.mean(axis=-2))
    the plain mean of the values = value.mean(axis=-2)

mixed | weights-ignored | {IGNORED}
    adding up the values as they are = _for_each_query(s, value.sum(axis=-2))
    adding up the values as they are = value.sum(axis=-2)

mixed | multiplied-elementwise | the operator: an output adds up many products
    multiplying number by number = shares * value

mixed | sum-missing | what is left to do once each value is multiplied by its weight
    products that are not added up = _products(s)

mixed | divided-by-n | the last step: the weights are shares of 1 already
    dividing by the number of keys = _products(s).mean(axis=-2)

mixed | wrong-axis | {OVER}
    adding up over the queries = _products(s).sum(axis=-3)
    adding up the numbers of a value = _products(s).sum(axis=-1)

mixed | order-swapped | {INNER}
    value times weights = value @ shares

mixed | value-transposed | {INNER}
    transposing the values = shares @ value.mT

mixed | winner-takes-all | the smaller weights: they count as well
    taking the value that has the largest weight =
        np.take_along_axis(value, shares.argmax(axis=-1)[..., None], axis=-2)

include looks.sum_cut_short("mixed", "shares", "value", "key")

shares | weights-changed | {SHARES}
    squares of the weights = weights**2
    roots of the weights = np.sqrt(weights)
    1 less each weight = 1 - weights
    rows of weights with the length 1 =
        weights / np.linalg.norm(weights, axis=-1, keepdims=True)
    logarithms of the weights = np.log(weights)
    columns of weights that add up to 1 = weights / weights.sum(axis=-2, keepdims=True)

mixed | queries-added-up | how many outputs there are: one for each query
    adding up the outputs of all queries = (shares @ value).sum(axis=-2)
    the mean of the outputs of all queries = (shares @ value).mean(axis=-2)

mixed | maximum-instead-of-sum | {OVER}
    the largest of the products where their sum was expected = _products(s).max(axis=-2)

mixed | keys-reversed | which weight belongs to which value: the first to the first
    values in reverse order = shares @ value[..., ::-1, :]
"""

EXERCISE = exercise(globals(), lambda w, v: w @ v, WEIGHTED)
