"""Post 5: a 3 × 4 input and three 4 × 4 weight matrices. No results are printed."""

# ruff: noqa: D103 (each function is the checker of the claim of its name)

import numpy as np

from attnlib import softmax

from . import posts as ex
from .measures import (
    are_probabilities,
    finite,
    gradient_size,
    own_largest,
    plain_softmax,
    same_order,
)
from .registry import Found, checks

WEIGHTS = ex.LAYER.w_query, ex.LAYER.w_key, ex.LAYER.w_value
TRACE = ex.LAYER.trace(ex.X)


def projections():
    assert TRACE.query.shape == TRACE.key.shape == TRACE.value.shape
    return TRACE.query.shape


def learned():
    entries = np.stack(WEIGHTS)
    assert np.array_equal(entries, entries.round(1))
    sizes = {"low": entries.min(), "high": entries.max()}
    return Found(None, facts={"entries": entries.size, **sizes})


def different():
    pairs = [
        (TRACE.query, TRACE.key),
        (TRACE.key, TRACE.value),
        (TRACE.value, TRACE.query),
    ]
    least = min(np.abs(one - other).max() for one, other in pairs)
    return Found(bool(least > 0), facts={"least": least})


def dk():
    d_k = TRACE.query.shape[1]
    batch = ex.LAYER.trace(np.stack([ex.X] * 7)).query  # (7, 3, 4)
    return Found(d_k, facts={"root": np.sqrt(d_k), "batched": batch.shape[1]})


def stable_gradients():
    scaled = gradient_size(TRACE.scaled_scores)
    unscaled = gradient_size(TRACE.scores)
    return Found(scaled > unscaled, facts={"scaled": scaled, "unscaled": unscaled})


def focus():
    assert not own_largest(TRACE.scores).any()
    facts = {"low": np.min(TRACE.weights), "high": np.max(TRACE.weights)}
    return Found(same_order(TRACE.scores, TRACE.weights), facts=facts)


def softmax_stable():
    factor = 10_000
    assert finite(plain_softmax(factor * TRACE.scaled_scores)) != "finite"
    weights = softmax(factor * TRACE.scaled_scores)
    return Found(finite(weights), facts={"factor": factor})


def code():
    query, key, value = (ex.X @ w for w in WEIGHTS)
    scores = query @ key.T / np.sqrt(query.shape[1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    return np.allclose(weights @ value, TRACE.output)


checks(
    "post5",
    {
        "input-shape": lambda: ex.X.shape,
        "positive": lambda: are_probabilities(TRACE.weights),
        "sum-of-inputs": lambda: np.abs(TRACE.weights @ ex.X - TRACE.output).max(),
        "sum-of-values": lambda: np.abs(
            TRACE.weights @ TRACE.value - TRACE.output
        ).max(),
    },
)
