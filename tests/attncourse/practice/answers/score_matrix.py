"""Right and wrong answers for score_matrix, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


def built(entry):
    """Number by number: entry(w_query, w_key, i, j)."""

    def answer(w_query, w_key):
        d_model = len(w_query)
        return [
            [entry(w_query, w_key, i, j) for j in range(d_model)]
            for i in range(d_model)
        ]

    return answer


def dot(a, b):
    return sum(float(p) * float(q) for p, q in zip(a, b, strict=True))


@right
def from_the_scores(w_query, w_key):
    """Let the words be the rows of the identity: then the scores are the matrix."""
    x = np.eye(len(w_query))
    return (x @ w_query) @ (x @ w_key).T


@right
def column_by_column(w_query, w_key):
    matrix = np.zeros((len(w_query), len(w_query)))
    for asks, answers in zip(w_query.T, w_key.T, strict=True):
        matrix += np.outer(asks, answers)
    return matrix


right(
    lambda w_query, w_key: w_query @ w_key.T,
    lambda w_query, w_key: np.einsum("ik,jk->ij", w_query, w_key),
    lambda w_query, w_key: np.inner(w_query.astype("f4"), w_key.astype("f4")),
    lambda w_query, w_key: (w_key @ w_query.T).T,
    built(lambda q, k, i, j: dot(q[i], k[j])),
)
wrong("key-not-transposed")(
    lambda w_query, w_key: w_query @ w_key,
    lambda w_query, w_key: np.einsum("ik,kj->ij", w_query, w_key),
    built(lambda q, k, i, j: dot(q[i], k[:, j])),
    lambda w_query, w_key: w_key @ w_query,
)
wrong("query-key-swapped")(
    lambda w_query, w_key: w_key @ w_query.T,
    built(lambda q, k, i, j: dot(q[j], k[i])),
    lambda w_query, w_key: (w_query @ w_key.T).T,
)
wrong("wrong-axis")(
    lambda w_query, w_key: w_query.T @ w_key,
    lambda w_query, w_key: np.einsum("di,dj->ij", w_query, w_key),
    lambda w_query, w_key: [[dot(q, k) for q in w_query.T] for k in w_key.T],
    lambda w_query, w_key: np.tensordot(w_query, w_key, axes=(0, 0)),
)
wrong("both-transposed")(
    lambda w_query, w_key: w_query.T @ w_key.T,
    built(lambda q, k, i, j: dot(q[:, i], k[j])),
)
wrong("multiplied-elementwise")(
    lambda w_query, w_key: w_query * w_key,
    lambda w_query, w_key: np.einsum("ij,ij->ij", w_query, w_key),
)
wrong("added-instead")(
    lambda w_query, w_key: w_query + w_key,
    lambda w_query, w_key: np.sum([w_query, w_key], axis=0),
)
wrong("scaled-too-soon")(
    lambda w_query, w_key: w_query @ w_key.T / np.sqrt(w_query.shape[1]),
    built(lambda q, k, i, j: dot(q[i], k[j]) * len(k[0]) ** -0.5),
)
wrong("made-symmetric")(
    lambda w_query, w_key: (w_query @ w_key.T + w_key @ w_query.T) / 2,
    built(lambda q, k, i, j: 0.5 * (dot(q[i], k[j]) + dot(q[j], k[i]))),
)
wrong("key-ignored")(
    lambda w_query, w_key: w_query @ w_query.T, lambda w_query, w_key: w_key @ w_key.T
)
