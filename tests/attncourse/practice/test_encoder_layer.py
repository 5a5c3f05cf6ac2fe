"""Wrong and right answers for encoder_layer, in several styles."""

import numpy as np
import pytest

import attnlib
from attncourse.practice import EXERCISES
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "encoder_layer"


def norm(x, axis=-1):
    root = np.sqrt(x.var(axis, keepdims=True) + 1e-5)
    return (x - x.mean(axis, keepdims=True)) / root


def network(x, w_1, b_1, w_2, b_2):
    return np.maximum(0, x @ w_1 + b_1) @ w_2 + b_2


def straight(x, weights, *parts):
    middle = norm(x + weights @ x)
    return norm(middle + network(middle, *parts))


def row_by_row(x, weights, *parts):
    if x.ndim > 2:
        pairs = zip(x, weights, strict=True)
        return np.array([row_by_row(one, shares, *parts) for one, shares in pairs])
    done = []
    for row, shares in zip(x, weights, strict=True):
        middle = norm(row + sum(s * other for s, other in zip(shares, x, strict=True)))
        done.append(norm(middle + network(middle, *parts)))
    return np.array(done)


def with_attnlib(x, weights, *parts):
    ones = np.ones(x.shape[-1])
    middle = attnlib.layer_norm(x + np.einsum("...ij,...jd->...id", weights, x), ones)
    return attnlib.layer_norm(middle + attnlib.feed_forward(middle, *parts), ones)


@pytest.mark.parametrize("answer", [straight, row_by_row, with_attnlib])
def test_right(answer):
    assert_passes(NAME, answer)


def test_reference_is_a_layer_whose_values_are_the_rows():
    """With the uniform weights of a zero query, attnlib's own layer gives the same."""
    d, rng = 5, np.random.default_rng(0)
    zero, eye, ones = np.zeros((d, d)), np.eye(d), np.ones(d)
    attention = attnlib.MultiHeadAttention(zero, zero, eye, eye, n_heads=1)
    parts = [rng.standard_normal(s) for s in ((d, 7), 7, (7, d), d)]
    layer = attnlib.EncoderLayer(attention, *parts, ones, 0 * ones, ones, 0 * ones)
    x = rng.standard_normal((3, d))
    got = EXERCISES[NAME].reference(x, np.full((3, 3), 1 / 3), *parts)
    np.testing.assert_allclose(got, layer(x), atol=1e-12)


def pre_norm(x, weights, *parts):
    middle = x + weights @ norm(x)
    return middle + network(norm(middle), *parts)


def input_again(x, weights, *parts):
    return norm(x + network(norm(x + weights @ x), *parts))


def no_sums(x, weights, *parts):
    return norm(network(norm(weights @ x), *parts))


def bare(x, weights, *parts):
    added = x + weights @ x
    return added + network(added, *parts)


def norm_inside(x, weights, *parts):
    middle = x + norm(weights @ x)
    return middle + norm(network(middle, *parts))


def by_columns(x, weights, *parts):
    middle = norm(x + weights @ x, axis=-2)
    return norm(middle + network(middle, *parts), axis=-2)


def linear(x, weights, w_1, b_1, w_2, b_2):
    middle = norm(x + weights @ x)
    return norm(middle + (middle @ w_1 + b_1) @ w_2 + b_2)


def side_by_side(x, weights, *parts):
    return norm(norm(x + weights @ x) + network(x, *parts))


def of_attention(x, weights, *parts):
    return norm(norm(x + weights @ x) + network(weights @ x, *parts))


def unnormalized_sum(x, weights, *parts):
    added = x + weights @ x
    return norm(added + network(norm(added), *parts))


WRONG = {
    "normalised-before": [pre_norm],
    "input-added-again": [input_again],
    "residual-missing": [
        no_sums,
        lambda x, a, *parts: norm(norm(a @ x) + network(norm(a @ x), *parts)),
        lambda x, a, *parts: norm(network(norm(x + a @ x), *parts)),
    ],
    "norm-missing": [
        bare,
        lambda x, a, *parts: norm(x + a @ x + network(x + a @ x, *parts)),
        lambda x, a, *parts: norm(x + a @ x) + network(norm(x + a @ x), *parts),
    ],
    "sum-before-norm-added": [unnormalized_sum],
    "sum-after-norm": [norm_inside],
    "wrong-axis": [by_columns],
    "relu-missing": [linear],
    "network-of-input": [side_by_side],
    "network-of-attention": [of_attention],
    "weights-transposed": [
        lambda x, a, *parts: straight(x, np.swapaxes(a, -1, -2), *parts)
    ],
}
CASES = [(code, answer) for code, answers in WRONG.items() for answer in answers]


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_wrong(code, answer):
    assert_found(NAME, code, answer)
