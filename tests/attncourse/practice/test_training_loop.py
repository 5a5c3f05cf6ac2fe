"""Wrong and right answers for training_loop, in several styles."""

import math

import numpy as np
import pytest

from attnlib import cross_entropy, cross_entropy_vjp, scaled_dot_product_attention
from tests.attncourse.practice.judging import assert_found, assert_passes, soft

NAME = "training_loop"


def loop(
    x, w, ids, rate, steps, *, causal=True, shift=1, mean=True, sign=-1, softmax=soft
):
    heads = scaled_dot_product_attention(x, x, x, is_causal=causal)
    asked, targets = heads[: len(ids) - shift], ids[shift:]
    for _ in range(steps):
        grad = softmax(asked @ w)
        grad[np.arange(len(targets)), targets] -= 1
        w = w + sign * rate * asked.T @ grad / (len(targets) if mean else 1)
    return w


def by_vjp(x, w, ids, rate, steps):
    asked = scaled_dot_product_attention(x, x, x, is_causal=True)[:-1]
    each = np.full(len(asked), 1 / len(asked))
    for _ in range(steps):
        w = w - rate * asked.T @ cross_entropy_vjp(asked @ w, ids[1:], each)
    return w


def by_loops(x, w, ids, rate, steps):
    """Add up the gradient place by place and word by word."""
    heads, w = scaled_dot_product_attention(x, x, x, is_causal=True), w.tolist()
    (n, d), v = x.shape, len(w[0])
    for _ in range(steps):
        grad = [[0.0] * v for _ in range(d)]
        for row, target in zip(heads[:-1].tolist(), ids[1:], strict=True):
            logits = [sum(row[k] * w[k][j] for k in range(d)) for j in range(v)]
            powers = [math.exp(z) for z in logits]
            for j in range(v):
                error = powers[j] / sum(powers) - (j == target)
                for k in range(d):
                    grad[k][j] += row[k] * error / (n - 1)
        w = [[w[k][j] - rate * grad[k][j] for j in range(v)] for k in range(d)]
    return w


def by_differences(x, w, ids, rate, steps):
    """Find the slopes by moving each weight; too rough for the tolerance, but near."""
    asked = scaled_dot_product_attention(x, x, x, is_causal=True)[:-1]

    def loss(w):
        return cross_entropy(asked @ w, ids[1:]).mean()

    for _ in range(steps):
        grad = np.zeros_like(w)
        for at in np.ndindex(w.shape):
            move = np.zeros_like(w)
            move[at] = 1e-5
            grad[at] = (loss(w + move) - loss(w - move)) / 2e-5
        w = w - rate * grad
    return w


@pytest.mark.parametrize("answer", [loop, by_vjp, by_loops])
def test_right(answer):
    assert_passes(NAME, answer)


def test_the_gradient_is_that_of_the_loss(rng):
    arguments = (
        rng.normal(size=(5, 3)),
        rng.normal(size=(3, 4)),
        rng.integers(4, size=5),
    )
    wanted = by_differences(*arguments, 0.5, 3)
    np.testing.assert_allclose(by_vjp(*arguments, 0.5, 3), wanted, atol=1e-7)


def different(**options):
    return lambda *inputs: loop(*inputs, **options)


def stale(x, w, ids, rate, steps):
    return w + steps * (loop(x, w, ids, rate, 1) - w)


def wrapped(x, w, ids, rate, steps):
    return loop(x, w, np.roll(ids, -1), rate, steps, shift=0)


WRONG = {
    "mask-forgotten": different(causal=False),
    "targets-not-shifted": different(shift=0),
    "gradient-not-averaged": different(mean=False),
    "uphill": different(sign=1),
    "wrong-axis": different(softmax=lambda z: soft(z.T).T),
    "gradient-computed-once": stale,
    "wraps-around": wrapped,
    "wrong-number-of-steps": lambda x, w, ids, rate, steps: loop(x, w, ids, rate, 1),
}


@pytest.mark.parametrize("code", WRONG)
def test_wrong(code):
    assert_found(NAME, code, WRONG[code])


def test_two_at_once_are_both_named():
    both = {"mask-forgotten", "gradient-not-averaged"}
    assert_found(NAME, both, different(causal=False, mean=False))
