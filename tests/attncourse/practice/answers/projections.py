"""Right and wrong answers to the exercises of lesson 2, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import flip, soft

right, wrong = answers_of("project")


@right
def by_einsum(x, w):
    return np.einsum("...i,io->...o", x, w)


wrong("weights-transposed")(lambda x, w: x @ w.T)
wrong("result-transposed")(lambda x, w: w.T @ flip(x))
wrong("first-for-all")(
    lambda x, w: np.zeros((*x.shape[:-1], 1)) + x.reshape(-1, *x.shape[-2:])[0] @ w
)


wrong("order-swapped")(lambda x, w: w @ x)


wrong("multiplied-elementwise")(lambda x, w: x * w)
wrong("softmax-too-soon")(lambda x, w: soft(x @ w))


wrong("wrong-one-transposed")(lambda x, w: np.swapaxes(x, -1, -2) @ w)


wrong("wrong-dtype", "wrong-numbers", says="Look for a comparison")(
    lambda x, w: x @ w > 0
)
wrong("wrong-dtype", "wrong-numbers", says="makes numbers complex")(
    lambda x, w: x @ w * (1 + 1j)
)
wrong("wrong-dtype", says="cuts off the decimals")(lambda x, w: (x @ w).astype(int))


@wrong("one-piece-wrong", says="a step left out. Look at `(x @ w).sum(axis=-2)`")
def summed(x, w):
    return (x @ w).sum(axis=-2)


right, wrong = answers_of("score_matrix")


right(lambda w_query, w_key: w_query @ w_key.T)
wrong("key-not-transposed")(
    lambda w_query, w_key: np.einsum("ik,kj->ij", w_query, w_key),
    lambda w_query, w_key: w_key @ w_query,
)
wrong("query-key-swapped")(lambda w_query, w_key: w_key @ w_query.T)
wrong("wrong-axis")(lambda w_query, w_key: w_query.T @ w_key)
wrong("both-transposed")(lambda w_query, w_key: w_query.T @ w_key.T)
wrong("multiplied-elementwise")(lambda w_query, w_key: w_query * w_key)
wrong("added-instead")(lambda w_query, w_key: w_query + w_key)
wrong("scaled-too-soon")(
    lambda w_query, w_key: w_query @ w_key.T / np.sqrt(w_query.shape[1])
)
wrong("made-symmetric")(
    lambda w_query, w_key: (w_query @ w_key.T + w_key @ w_query.T) / 2
)
wrong("key-ignored")(
    lambda w_query, w_key: w_query @ w_query.T, lambda w_query, w_key: w_key @ w_key.T
)


right, wrong = answers_of("dot_product_scores")


@right
def by_loops(query, key):
    if query.ndim > 2:
        return [by_loops(q, k) for q, k in zip(query, key, strict=True)]
    return [[sum(a * b for a, b in zip(q, k, strict=True)) for k in key] for q in query]


wrong("key-not-transposed")(lambda q, k: q @ k)
wrong("query-key-swapped")(lambda q, k: np.einsum("...qd,...kd->...kq", q, k))
wrong("scaled-too-soon")(lambda q, k: q @ flip(k) / np.sqrt(q.shape[-1]))
wrong("cosines-instead")(
    lambda q, k: (
        q
        @ flip(k)
        / np.linalg.norm(q, axis=-1)[..., None]
        / np.linalg.norm(k, axis=-1)[..., None, :]
    )
)
wrong("distances-instead")(
    lambda q, k: -((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(-1)
)


wrong("all-axes-transposed")(
    lambda q, k: q @ k.T, lambda q, k: np.dot(q, k.transpose())
)
wrong("multiplied-elementwise")(lambda q, k: q * k)


@wrong("no-batch")
def only_matrices(query, key):
    """Right for two axes, and wrong for three in a way that no table foresees."""
    rows, columns = query.shape[0], key.shape[0]
    out = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            out[i, j] = np.sum(query[i] * key[j])
    return out


wrong("softmax-too-soon")(lambda q, k: soft(q @ k.swapaxes(-1, -2)))


wrong("wrong-one-transposed")(
    lambda q, k: np.einsum("...ti,...tj->...ij", q, k),
    lambda q, k: k.mT @ q,
)


wrong("key-not-transposed", "scaled-too-soon")(
    lambda q, k: q @ k / np.sqrt(k.shape[-1])
)
