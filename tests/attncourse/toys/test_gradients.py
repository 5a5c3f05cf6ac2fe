"""The gradients that train the toys, against differences and by hand."""

from functools import partial

import numpy as np
import pytest

from attncourse.toys.gradients import (
    cross_entropy_vjp,
    feed_forward_vjp,
    rms_norm_vjp,
)
from attnlib import (
    cross_entropy,
    feed_forward,
    rms_norm,
)
from tests.attnlib.differences import by_differences, relative_error

ROWS, ROW = (2, 3, 5), (5,)
NETWORK = [(2, 3, 5), (5, 7), (7,), (7, 4), (4,)]
LAYERS = {
    "rms_norm": (rms_norm, rms_norm_vjp, [ROWS, ROW], {"eps": 0.3}),
    "rms_norm, no gain": (rms_norm, rms_norm_vjp, [ROWS, None], {}),
    "feed_forward": (feed_forward, feed_forward_vjp, NETWORK, {}),
    "no biases": (
        *(feed_forward, feed_forward_vjp),
        *([(3, 5), (5, 7), None, (7, 4), None], {}),
    ),
}


@pytest.mark.parametrize("case", LAYERS.values(), ids=LAYERS)
def test_against_differences(rng, case):
    function, vjp, shapes, options = case
    inputs = [None if s is None else rng.normal(size=s) for s in shapes]
    grad = rng.normal(size=function(*inputs, **options).shape)
    slopes = by_differences(partial(function, **options), inputs, grad)
    for gradient, slope in zip(vjp(*inputs, grad, **options), slopes, strict=True):
        if slope is None:
            assert gradient is None
        else:
            assert relative_error(gradient, slope) < 1e-6


def test_the_loss_against_differences(rng):
    logits, targets = rng.normal(size=(2, 3, 5)), rng.integers(5, size=(2, 3))
    grad = rng.normal(size=(2, 3))
    (slopes,) = by_differences(lambda x: cross_entropy(x, targets), [logits], grad)
    assert relative_error(cross_entropy_vjp(logits, targets, grad), slopes) < 1e-6


def test_float32_stays(rng):
    logits = rng.normal(size=(2, 3)).astype(np.float32)
    assert cross_entropy_vjp(logits, [0, 2], [0.5, 0.5]).dtype == np.float32
    given = [np.ones(shape, np.float32) for shape in (*NETWORK, (2, 3, 4))]
    assert {grad.dtype for grad in feed_forward_vjp(*given)} == {np.dtype("f4")}


def test_relu_has_no_slope_at_zero():
    one = np.ones((1, 1))
    assert feed_forward_vjp(0 * one, one, None, one, None, one)[0] == 0
