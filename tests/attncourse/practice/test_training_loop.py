"""What else holds for training_loop, beside its answers."""

import numpy as np

from attnlib import cross_entropy, scaled_dot_product_attention
from tests.attncourse.practice.answers.training_loop import by_vjp


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


def test_the_gradient_is_that_of_the_loss(rng):
    arguments = (
        rng.normal(size=(5, 3)),
        rng.normal(size=(3, 4)),
        rng.integers(4, size=5),
    )
    wanted = by_differences(*arguments, 0.5, 3)
    np.testing.assert_allclose(by_vjp(*arguments, 0.5, 3), wanted, atol=1e-7)
