"""weighted_sum: each output mixes the values, with its own row of weights."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Step, mistake
from attncourse.practice.mistakes.loops import cut_short
from attncourse.practice.mistakes.normalization import stable
from attncourse.practice.mistakes.tables import mistakes_in
from attncourse.practice.mistakes.transposed import attention_transposed


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


def _for_each_query(values: Step) -> Step:
    """Give every query the same row."""

    def repeated(s) -> np.ndarray:
        row = values(s)[..., None, :]
        return np.broadcast_to(row, (*s.shares.shape[:-1], row.shape[-1]))

    return repeated


def _winner(s) -> np.ndarray:
    best = s.shares.argmax(axis=-1)[..., None]
    return np.take_along_axis(s.value, best, axis=-2)


def _mean(s) -> np.ndarray:
    return s.value.mean(axis=-2)


def _total(s) -> np.ndarray:
    return s.value.sum(axis=-2)


WEIGHTED = {
    "shares": lambda s: s.weights,
    "mixed": lambda s: s.shares @ s.value,
    "output": lambda s: s.mixed,
}
IGNORED = "where the weights come in: each query has its own share of every value"
INNER = "the sizes that have to agree: there is one weight for each value"
SHARES = "what the weights are: shares already, to be used as they are"
OVER = "what is added up: one product for each key"

WAYS = {
    "mean-instead-of-weighted": (
        IGNORED,
        ("the plain mean of the values", _for_each_query(_mean)),
        ("the plain mean of the values", _mean),
    ),
    "weights-ignored": (
        IGNORED,
        ("adding up the values as they are", _for_each_query(_total)),
        ("adding up the values as they are", _total),
    ),
    "multiplied-elementwise": (
        "the operator: an output adds up many products",
        ("multiplying number by number", lambda s: s.shares * s.value),
    ),
    "sum-missing": (
        "what is left to do once each value is multiplied by its weight",
        ("products that are not added up", _products),
    ),
    "divided-by-n": (
        "the last step: the weights are shares of 1 already",
        ("dividing by the number of keys", lambda s: _products(s).mean(axis=-2)),
    ),
    "wrong-axis": (
        OVER,
        ("adding up over the queries", lambda s: _products(s).sum(axis=-3)),
        ("adding up the numbers of a value", lambda s: _products(s).sum(axis=-1)),
    ),
    "order-swapped": (INNER, ("value times weights", lambda s: s.value @ s.shares)),
    "value-transposed": (
        INNER,
        ("transposing the values", lambda s: s.shares @ s.value.mT),
    ),
    "winner-takes-all": (
        "the smaller weights: they count as well",
        ("taking the value that has the largest weight", _winner),
    ),
}
MISTAKES = (
    attention_transposed(shares=lambda s: s.weights.mT),
    mistake(
        "softmax-twice",
        "a softmax over the weights",
        "what the weights are: shares already, each row with the sum 1",
        shares=lambda s: stable(s.weights),
    ),
    mistake(
        "result-transposed",
        "an output with a column for each query",
        "what a row of the output is: the mixture of one query",
        output=lambda s: s.mixed.mT,
    ),
    *mistakes_in("mixed", WAYS),
    *cut_short("mixed", lambda s: s.shares, lambda s: s.value, "key"),
    *(
        mistake("weights-changed", cause, SHARES, shares=step)
        for cause, step in (
            ("squares of the weights", lambda s: s.weights**2),
            ("roots of the weights", lambda s: np.sqrt(s.weights)),
            ("1 less each weight", lambda s: 1 - s.weights),
            (
                "rows of weights with the length 1",
                lambda s: s.weights / np.linalg.norm(s.weights, axis=-1, keepdims=True),
            ),
            ("logarithms of the weights", lambda s: np.log(s.weights)),
            (
                "columns of weights that add up to 1",
                lambda s: s.weights / s.weights.sum(axis=-2, keepdims=True),
            ),
        )
    ),
    mistake(
        "maximum-instead-of-sum",
        "the largest of the products where their sum was expected",
        OVER,
        mixed=lambda s: _products(s).max(axis=-2),
    ),
    mistake(
        "keys-reversed",
        "values in reverse order",
        "which weight belongs to which value: the first to the first",
        mixed=lambda s: s.shares @ s.value[..., ::-1, :],
    ),
)

EXERCISES = (Exercise("weighted_sum", lambda w, v: w @ v, draw, WEIGHTED, MISTAKES),)
