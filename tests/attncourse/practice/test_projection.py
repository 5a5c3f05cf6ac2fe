"""Wrong and right answers for project, in several styles."""

import numpy as np
import pytest

from attnlib.projections import project
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "project"


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


def by_einsum(x, w):
    return np.einsum("...i,io->...o", x, w)


def by_tensordot(x, w):
    return np.tensordot(x, w, axes=1)


def in_float32(x, w):
    return x.astype("f4") @ w.astype("f4")


def as_fortran(x, w):
    return np.asfortranarray(x) @ np.asfortranarray(w)


@pytest.mark.parametrize(
    "answer", [project, by_loops, by_einsum, by_tensordot, in_float32, as_fortran]
)
def test_right(answer):
    assert_passes(NAME, answer)


def transposed(x, w):
    return x @ w.T


def transposed_by_einsum(x, w):
    return np.einsum("...i,oi->...o", x, w)


def transposed_by_rows(x, w):
    return np.stack([(x * row).sum(-1) for row in w], axis=-1)


def transposed_by_loops(x, w):
    if x.ndim > 2:
        return [transposed_by_loops(one, w) for one in x]
    return [[sum(p * q for p, q in zip(r, c, strict=True)) for c in w] for r in x]


@pytest.mark.parametrize(
    "answer",
    [transposed, transposed_by_einsum, transposed_by_rows, transposed_by_loops],
)
def test_weights_transposed(answer):
    assert_found(NAME, "weights-transposed", answer)


@pytest.mark.parametrize(
    "answer", [lambda x, w: w @ x, lambda x, w: np.einsum("io,...ob->...ib", w, x)]
)
def test_order_swapped(answer):
    assert_found(NAME, "order-swapped", answer)


def test_column_vectors():
    def answer(x, w):
        return w.T @ np.swapaxes(x, -1, -2)

    assert_found(NAME, "result-transposed", answer)


def test_number_by_number():
    assert_found(NAME, "multiplied-elementwise", lambda x, w: x * w)
