"""Right and wrong answers to the exercises of lesson 2, in several styles."""

import numpy as np

from attnlib import dot_product_scores
from attnlib.projections import project
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of("project")


@right
def by_loops(x, w):
    if x.ndim > 2:
        return [by_loops(one, w) for one in x]
    rows, inner, columns = len(x), len(w), len(w[0])
    out = [[0.0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            for k in range(inner):
                out[i][j] += x[i][k] * w[k][j]
    return out


@right
def by_einsum(x, w):
    return np.einsum("...i,io->...o", x, w)


@right
def by_tensordot(x, w):
    return np.tensordot(x, w, axes=1)


@right
def in_float32(x, w):
    return x.astype("f4") @ w.astype("f4")


@right
def as_fortran(x, w):
    return np.asfortranarray(x) @ np.asfortranarray(w)


@wrong("weights-transposed")
def transposed(x, w):
    return x @ w.T


@wrong("weights-transposed")
def transposed_by_einsum(x, w):
    return np.einsum("...i,oi->...o", x, w)


@wrong("weights-transposed")
def transposed_by_rows(x, w):
    return np.stack([(x * row).sum(-1) for row in w], axis=-1)


@wrong("weights-transposed")
def transposed_by_loops(x, w):
    if x.ndim > 2:
        return [transposed_by_loops(one, w) for one in x]
    return [[sum(p * q for p, q in zip(r, c, strict=True)) for c in w] for r in x]


right(project)
wrong("order-swapped")(
    lambda x, w: w @ x, lambda x, w: np.einsum("io,...ob->...ib", w, x)
)


@wrong("result-transposed")
def column_vectors(x, w):
    return w.T @ np.swapaxes(x, -1, -2)


wrong("multiplied-elementwise")(lambda x, w: x * w)
wrong("softmax-too-soon")(lambda x, w: soft(x @ w))


@wrong("first-for-all")
def first_text_for_all(x, w):
    first = x.reshape(-1, *x.shape[-2:])[0] @ w
    return np.broadcast_to(first, (*x.shape[:-1], w.shape[-1]))


wrong("wrong-one-transposed")(lambda x, w: np.swapaxes(x, -1, -2) @ w)


right, wrong = answers_of("score_matrix")


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


right, wrong = answers_of("dot_product_scores")


@right
def by_loops_of_dot_product_scores(query, key):
    if query.ndim > 2:
        return [
            by_loops_of_dot_product_scores(q, k)
            for q, k in zip(query, key, strict=True)
        ]
    return [[sum(a * b for a, b in zip(q, k, strict=True)) for k in key] for q in query]


@right
def by_einsum_of_dot_product_scores(query, key):
    return np.einsum("...qd,...kd->...qk", query, key)


@right
def by_broadcasting(query, key):
    return (query[..., :, None, :] * key[..., None, :, :]).sum(-1)


@right
def in_half_precision(query, key):
    return query.astype(np.float16) @ key.astype(np.float16).swapaxes(-1, -2)


@wrong("key-not-transposed")
def plain_product(query, key):
    return query @ key


@wrong("key-not-transposed")
def plain_einsum(query, key):
    return np.einsum("...ij,...jk->...ik", query, key)


@wrong("key-not-transposed")
def plain_loops(query, key):
    if query.ndim > 2:
        return np.array([plain_loops(q, k) for q, k in zip(query, key, strict=True)])
    out = np.zeros((len(query), key.shape[1]))
    for i, j, k in np.ndindex(len(query), key.shape[1], query.shape[1]):
        out[i, j] += query[i, k] * key[k, j]
    return out


@wrong("query-key-swapped")
def swapped(query, key):
    return key @ query.swapaxes(-1, -2)


@wrong("query-key-swapped")
def swapped_einsum(query, key):
    return np.einsum("...qd,...kd->...kq", query, key)


@wrong("query-key-swapped")
def swapped_loops(query, key):
    if query.ndim > 2:
        return [swapped_loops(q, k) for q, k in zip(query, key, strict=True)]
    return [[float(np.dot(q, k)) for q in query] for k in key]


right(dot_product_scores)
wrong("all-axes-transposed")(
    lambda query, key: query @ key.T, lambda q, k: np.dot(q, k.transpose())
)
wrong("multiplied-elementwise")(lambda query, key: query * key)


@wrong("scaled-too-soon")
def scaled_too_soon(query, key):
    return by_einsum_of_dot_product_scores(query, key) / np.sqrt(query.shape[-1])


@wrong("cosines-instead")
def cosines_instead(query, key):
    length = np.linalg.norm(query, axis=-1)[..., None]
    return (
        by_einsum_of_dot_product_scores(query, key)
        / length
        / np.linalg.norm(key, axis=-1)[..., None, :]
    )


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


@wrong("distances-instead")
def distances(query, key):
    return -((query[..., :, None, :] - key[..., None, :, :]) ** 2).sum(-1)


wrong("wrong-one-transposed")(
    lambda query, key: query.swapaxes(-1, -2) @ key,
    lambda query, key: np.einsum("...ti,...tj->...ij", query, key),
    lambda query, key: key.mT @ query,
)


wrong("key-not-transposed", "scaled-too-soon")(
    lambda q, k: q @ k / np.sqrt(k.shape[-1])
)
