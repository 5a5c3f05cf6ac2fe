"""Right and wrong answers for encoder_layer, in several styles."""

import numpy as np

import attnlib
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


def norm(x, axis=-1):
    root = np.sqrt(x.var(axis, keepdims=True) + 1e-5)
    return (x - x.mean(axis, keepdims=True)) / root


def network(x, w_1, b_1, w_2, b_2):
    return np.maximum(0, x @ w_1 + b_1) @ w_2 + b_2


@right
def straight(x, weights, *parts):
    middle = norm(x + weights @ x)
    return norm(middle + network(middle, *parts))


@right
def row_by_row(x, weights, *parts):
    if x.ndim > 2:
        pairs = zip(x, weights, strict=True)
        return np.array([row_by_row(one, shares, *parts) for one, shares in pairs])
    done = []
    for row, shares in zip(x, weights, strict=True):
        middle = norm(row + sum(s * other for s, other in zip(shares, x, strict=True)))
        done.append(norm(middle + network(middle, *parts)))
    return np.array(done)


@right
def with_attnlib(x, weights, *parts):
    ones = np.ones(x.shape[-1])
    middle = attnlib.layer_norm(x + np.einsum("...ij,...jd->...id", weights, x), ones)
    return attnlib.layer_norm(middle + attnlib.feed_forward(middle, *parts), ones)


@wrong("normalized-before")
def pre_norm(x, weights, *parts):
    middle = x + weights @ norm(x)
    return middle + network(norm(middle), *parts)


@wrong("input-added-again")
def input_again(x, weights, *parts):
    return norm(x + network(norm(x + weights @ x), *parts))


@wrong("residual-missing")
def no_sums(x, weights, *parts):
    return norm(network(norm(weights @ x), *parts))


@wrong("norm-missing")
def bare(x, weights, *parts):
    added = x + weights @ x
    return added + network(added, *parts)


@wrong("sum-after-norm")
def norm_inside(x, weights, *parts):
    middle = x + norm(weights @ x)
    return middle + norm(network(middle, *parts))


@wrong("wrong-axis")
def by_columns(x, weights, *parts):
    middle = norm(x + weights @ x, axis=-2)
    return norm(middle + network(middle, *parts), axis=-2)


@wrong("relu-missing")
def linear(x, weights, w_1, b_1, w_2, b_2):
    middle = norm(x + weights @ x)
    return norm(middle + (middle @ w_1 + b_1) @ w_2 + b_2)


@wrong("network-of-input")
def side_by_side(x, weights, *parts):
    return norm(norm(x + weights @ x) + network(x, *parts))


@wrong("network-of-attention")
def of_attention(x, weights, *parts):
    return norm(norm(x + weights @ x) + network(weights @ x, *parts))


@wrong("sum-before-norm-added")
def unnormalized_sum(x, weights, *parts):
    added = x + weights @ x
    return norm(added + network(norm(added), *parts))


wrong("residual-missing")(
    lambda x, a, *parts: norm(norm(a @ x) + network(norm(a @ x), *parts)),
    lambda x, a, *parts: norm(network(norm(x + a @ x), *parts)),
)
wrong("norm-missing")(
    lambda x, a, *parts: norm(x + a @ x + network(x + a @ x, *parts)),
    lambda x, a, *parts: norm(x + a @ x) + network(norm(x + a @ x), *parts),
)
wrong("weights-transposed")(
    lambda x, a, *parts: straight(x, np.swapaxes(a, -1, -2), *parts)
)


@wrong("network-of-sum")
def network_before_the_norm(x, weights, *parts):
    added = x + weights @ x
    return norm(norm(added) + network(added, *parts))
