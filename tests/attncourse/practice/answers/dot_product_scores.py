"""Right and wrong answers for dot_product_scores, in several styles."""

import numpy as np

from attnlib import dot_product_scores
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


@right
def by_loops(query, key):
    if query.ndim > 2:
        return [by_loops(q, k) for q, k in zip(query, key, strict=True)]
    return [[sum(a * b for a, b in zip(q, k, strict=True)) for k in key] for q in query]


@right
def by_einsum(query, key):
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
    return by_einsum(query, key) / np.sqrt(query.shape[-1])


@wrong("cosines-instead")
def cosines_instead(query, key):
    length = np.linalg.norm(query, axis=-1)[..., None]
    return by_einsum(query, key) / length / np.linalg.norm(key, axis=-1)[..., None, :]


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
