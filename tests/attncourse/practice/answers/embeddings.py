"""Right and wrong answers to the exercises of lesson 1, in several styles."""

import math

import numpy as np

from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of("look_up")


@right
def in_float16(token_ids, table):
    return table.astype("f2")[token_ids]


@right
def by_einsum(token_ids, table):
    one_hot = token_ids[..., None] == np.arange(table.shape[0])
    return np.einsum("...v,vd->...d", one_hot.astype(table.dtype), table)


wrong("column-instead-of-row")(
    lambda ids, table: np.eye(table.shape[1])[ids] @ table.T,
    lambda ids, table: table[:, ids].T,
)
wrong("no-batch")(
    lambda ids, table: [table[i] for i in (ids if ids.ndim == 1 else ids[-1])]
)
wrong("row-left-out")(
    lambda ids, table: table[ids] * (ids != 0)[..., None],
    lambda ids, table: table[ids.clip(0, table.shape[0] - 2)],
)
wrong("rows-columns-swapped")(
    lambda ids, table: table.T[:, np.asarray(ids)],
    lambda ids, table: (
        table[ids.ravel()].reshape(table.shape[1], -1).T.reshape(*ids.shape, -1)
    ),
)
wrong("ids-numbered-anew")(
    lambda ids, table: table[np.unique(ids, return_inverse=True)[1].reshape(ids.shape)]
)


wrong("starts-at-one")(
    lambda ids, table: table[ids - 1],
    lambda ids, table: table[1:][ids],
)
wrong("position-instead-of-id")(
    lambda ids, table: table[np.cumsum(np.ones_like(ids), axis=-1) - 1]
)
wrong("numbers-instead-of-rows")(lambda ids, table: table.ravel()[ids])
wrong("one-hot-instead-of-row")(lambda ids, table: np.eye(len(table))[ids])
wrong("ids-multiplied")(lambda ids, table: ids @ table)
wrong("rows-added-up")(
    lambda ids, table: table[ids].sum(axis=-2),
    lambda ids, table: np.mean(table[ids], axis=ids.ndim - 1),
    lambda ids, table: table[ids].reshape(-1, table.shape[1]).mean(axis=0),
    lambda ids, table: table[ids.ravel()].sum(axis=0),
)
wrong("repeats-dropped")(lambda ids, table: table[sorted(set(ids.ravel().tolist()))])


@wrong("wrong-dtype", says="zeros_like takes the dtype")
def filled_with_whole_numbers(ids, table):
    rows = np.zeros_like(ids, shape=(*ids.shape, table.shape[1]))
    rows[...] = table[ids]
    return rows


wrong("wrong-type", says="a tuple of 2, where one array was expected")(
    lambda ids, table: (table[ids], ids)
)


@wrong("last-round-only", says="`row = table[i]")
def last_row(token_ids, table):
    for i in np.ravel(token_ids):
        row = table[i]
    return row


right, wrong = answers_of("cosine_similarity")


@right
def by_loops(a, b):
    if np.ndim(a) > 1:
        return [by_loops(one, other) for one, other in zip(a, b, strict=True)]
    dot = sum(p * q for p, q in zip(a, b, strict=True))
    lengths = math.sqrt(sum(p * p for p in a)) * math.sqrt(sum(q * q for q in b))
    return dot / (lengths or 1)


def dot_only(a, b):
    return np.einsum("...d,...d->...", a, b)


def norm(x):
    return np.linalg.norm(x, axis=-1, keepdims=True)


def by_units(a, b):
    return dot_only(*(x / (norm(x) + 1e-300) for x in (a, b)))


wrong("not-normalized", "zero-vector")(
    lambda a, b: (a * b).sum(-1) / np.sqrt((a * a).sum(-1)),
    lambda a, b: np.sum(a * b / norm(b), axis=-1),
)
wrong("wrong-axis")(
    lambda a, b: dot_only(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)),
    lambda a, b: dot_only(*(x / np.linalg.norm(x, axis=0) for x in (a, b))),
)
wrong("root-forgotten", "zero-vector")(
    lambda a, b: dot_only(a, b) / (dot_only(a, a) * dot_only(b, b))
)
wrong("zero-vector")(
    lambda a, b: dot_only(a / np.where(norm(a) == 0, 1, norm(a)), b / norm(b))
)
wrong("wrong-shape")(lambda a, b: by_units(a, b)[..., None])
wrong("other-length")(
    lambda a, b: dot_only(*(x / np.maximum(norm(x), 1) for x in (a, b))),
    lambda a, b: (
        dot_only(a, b) / np.maximum(np.sqrt(dot_only(a, a) + dot_only(b, b)), 1e-300)
    ),
)


wrong("distance-instead")(lambda a, b: 1 - by_units(a, b))


@wrong("all-pairs", "nan")
def each_with_each(a, b):
    a = a / norm(a)
    b = b / norm(b)
    return a @ b.swapaxes(-1, -2) if a.ndim > 1 else a @ b


wrong("distance-instead")(lambda a, b: 1 - np.linalg.norm(a - b, axis=-1))


def lengths(a, b):
    return np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)


# What one vector leaves open is not put down to axes, whatever is drawn.
wrong("zero-vector-not-zero", seeds=range(8))(
    lambda a, b: np.where(lengths(a, b) == 0, 1, by_units(a, b))
)
wrong("one-row-for-all", seeds=range(8))(
    lambda a, b: by_units(a, b) * np.all(lengths(a, b) != 0)
)
wrong("one-step-too-many", seeds=range(8))(lambda a, b: np.abs(by_units(a, b)))
wrong("a-little-too-small", seeds=range(8))(
    lambda a, b: dot_only(a, b) / (lengths(a, b) + 1e-4)
)
wrong("zero-vector", "one-step-too-many", seeds=range(8))(
    lambda a, b: np.abs(dot_only(a, b)) / lengths(a, b)
)


@wrong("number-of-axes", says="`if` decides once")
def decided_once(a, b):
    n = lengths(a, b)
    if n == 0:
        return 0
    return dot_only(a, b) / n
