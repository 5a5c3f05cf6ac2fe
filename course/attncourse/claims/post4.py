"""Post 4, attention: three tokens, d_k = 2."""

# ruff: noqa: D103 (each function is the checker of the claim of its name)

import numpy as np

from attnlib import (
    SelfAttention,
    attention_weights,
    dot_product_scores,
    scale_scores,
    scaled_dot_product_attention,
    softmax,
)

from . import posts as ex
from .measures import (
    are_probabilities,
    finite,
    outcome,
    plain_softmax,
    row_by_row,
    show,
)
from .registry import Found, checks

SCORES = dot_product_scores(ex.QUERY, ex.KEY)
SCALED = scale_scores(SCORES, 2)
WEIGHTS = softmax(SCALED)
OUTPUT = scaled_dot_product_attention(ex.QUERY, ex.KEY, ex.VALUE)


def dk():
    batch = np.stack([ex.QUERY] * 7)  # (7, 3, 2)
    assert ex.QUERY.shape[-1] == batch.shape[-1]
    return Found(ex.QUERY.shape[1], facts={"batched": batch.shape[1]})


def output_first():
    printed = np.array([0.42, 0.42, 0.16])
    texts = {"own": show(printed @ ex.VALUE, 1), "exact": OUTPUT[0, 0]}
    return Found(OUTPUT[0], rounded=printed @ ex.VALUE, facts=texts)


def code_attention():
    weights = plain_softmax(ex.QUERY @ ex.KEY.T / np.sqrt(ex.QUERY.shape[1]))
    same = np.allclose(weights, WEIGHTS) and np.allclose(weights @ ex.VALUE, OUTPUT)
    texts = {"weights": show(weights[0], 3), "output": show(OUTPUT[0], 1)}
    return Found(same, facts=texts)


def code_overflow():
    factor = 2000
    weights = plain_softmax(factor * SCALED)
    limit = np.log(np.finfo(float).max)
    return Found(finite(weights), facts={"factor": factor, "limit": limit})


def scaling_dominating():
    query, key = ex.draw(2, 500, 10, 64)
    scaled = attention_weights(query, key).max(axis=-1).mean()
    unscaled = attention_weights(query, key, scale=1).max(axis=-1).mean()
    longer = attention_weights(8 * query, key).max(axis=-1).mean()
    facts = {"scaled": scaled, "unscaled": unscaled, "longer": longer}
    return Found(bool(scaled < unscaled), facts=facts)


def any_distance():
    near = ex.draw(11, 4)
    far = near[[0, *range(2, 11), 1]]  # word 1 moves to the end
    weights = [attention_weights(x, x)[0] for x in (near, far)]
    return np.allclose(weights[0][1], weights[1][-1])


def output_row_1():
    printed = np.array([0.4, 0.4, 0.2])
    left_out = [printed @ ex.VALUE[:, 0], printed[:2] @ ex.VALUE[:2, 1]]
    return Found(OUTPUT[0], rounded=printed @ ex.VALUE, again=left_out)


def order():
    layer = SelfAttention(*ex.draw(3, 5, 5))
    x = ex.draw(3, 5, seed=1)
    return np.allclose(layer(x), layer(x[::-1])[::-1])


checks(
    "post4",
    {
        "q1-scores": lambda: SCORES[0],
        "q1-untransposed": lambda: outcome(np.matmul, ex.QUERY[:1], ex.KEY),
        "scaled-row": lambda: SCALED[0],
        "weights-first": lambda: Found(WEIGHTS[0], again=softmax(SCORES[0])),
        "softmax-probabilities": lambda: are_probabilities(WEIGHTS),
        "scores": lambda: SCORES,
        "scaled": lambda: SCALED,
        "weights-row-1": lambda: WEIGHTS[0],
        "attends-to-all": lambda: Found(
            bool((WEIGHTS > 0).all()), facts={"smallest": WEIGHTS.min()}
        ),
        "parallel": lambda: row_by_row(ex.QUERY, ex.KEY, ex.VALUE),
    },
)
