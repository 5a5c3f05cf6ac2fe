"""Right and wrong answers for project, in several styles."""

import numpy as np

from attnlib.projections import project
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


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
