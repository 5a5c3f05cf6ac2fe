import math
from functools import partial

import numpy as np
import pytest

import attnlib
from attnlib import feed_forward_vjp, gelu, layer_norm_vjp, rms_norm_vjp
from tests.attnlib.differences import by_differences, relative_error
from tests.attnlib.gradient_cases import LAYERS

each_case = pytest.mark.parametrize("name", LAYERS)


def draw(name, rng):
    function, vjp, shapes, options = LAYERS[name]
    inputs = [None if s is None else rng.normal(size=s) for s in shapes]
    grad = rng.normal(size=function(*inputs, **options).shape)
    return function, vjp, inputs, grad, options


@each_case
def test_against_differences(xp, rng, name):
    function, vjp, inputs, grad, options = draw(name, rng)
    given = [None if a is None else xp.asarray(a) for a in inputs]
    found = vjp(*given, xp.asarray(grad), **options)
    slopes = by_differences(partial(function, **options), inputs, grad)
    for gradient, slope in zip(found, slopes, strict=True):
        if slope is None:
            assert gradient is None
        else:
            assert relative_error(gradient, slope) < 1e-6


@each_case
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_dtypes_stay(rng, name, dtype):
    _, vjp, inputs, grad, options = draw(name, rng)
    narrow = [None if a is None else a.astype(dtype) for a in (*inputs, grad)]
    wide = vjp(*inputs, grad, **options)
    for got, expected in zip(vjp(*narrow, **options), wide, strict=True):
        if expected is not None:
            assert got.dtype == dtype
            few = 30 * np.finfo(dtype).eps
            np.testing.assert_allclose(got, expected, rtol=few, atol=few)


def test_relu_has_no_slope_at_zero():
    grads = feed_forward_vjp([[0.0]], [[1.0]], None, [[1.0]], None, [[1.0]])
    assert grads[0] == 0


def test_gelu_slope_by_hand():
    """Φ(1) + φ(1) = 0.8413447… + 0.2419707…"""
    one = [[1.0]]
    grads = feed_forward_vjp(one, one, None, one, None, one, activation=gelu)
    density = math.exp(-0.5) / math.sqrt(2 * math.pi)
    assert float(grads[0][0, 0]) == pytest.approx(0.841344746069 + density, rel=1e-10)


X, GAIN = np.ones((3, 5)), np.ones(5)
W_1, W_2 = np.ones((5, 7)), np.ones((7, 4))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: layer_norm_vjp(X, GAIN[:4], None, X),
            "layer_norm_vjp: gain must have",
        ),
        (
            lambda: layer_norm_vjp(X, GAIN, GAIN[:1], X),
            "layer_norm_vjp: bias must have",
        ),
        (
            lambda: layer_norm_vjp(X, None, None, X),
            "layer_norm_vjp: gain must hold real",
        ),
        (
            lambda: layer_norm_vjp(X, GAIN, None, X[0]),
            "layer_norm_vjp: grad_output must",
        ),
        (
            lambda: layer_norm_vjp(X, GAIN, None, X, eps=-1),
            "layer_norm_vjp: eps must not",
        ),
        (lambda: rms_norm_vjp(X, GAIN[:4], X), "rms_norm_vjp: gain must have shape"),
        (
            lambda: rms_norm_vjp(X, None, X[:2]),
            r"rms_norm_vjp: .* shape of x, \(3, 5\), g",
        ),
        (
            lambda: rms_norm_vjp(X, None, X, eps="a"),
            "rms_norm_vjp: eps must be a finite",
        ),
        (
            lambda: feed_forward_vjp(X, W_1, None, W_2, None, X),
            r"feed_forward_vjp: .* the output, \(3, 4\), got grad_output \(3, 5\)",
        ),
        (
            lambda: feed_forward_vjp(X, W_2, None, W_2, None, X),
            "feed_forward_vjp: w_2 must have as many rows",
        ),
        (
            lambda: feed_forward_vjp(X[:, :4], W_1, None, W_2, None, X[:, :4]),
            "feed_forward_vjp: rows of x must be as long as w_1 has rows",
        ),
        (
            lambda: feed_forward_vjp(
                X, W_1, None, W_2, None, X[:, :4], activation=np.tanh
            ),
            "feed_forward_vjp: activation must be relu, gelu or silu",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


@pytest.mark.parametrize("name", ["layer_norm", "rms_norm"])
def test_gradients_of_norms_of_huge_rows(name, rng):
    """A row a thousand times as long has a gradient a thousandth as long."""
    x, grad, gain = rng.normal(size=(3, 2, 5))
    vjp = getattr(attnlib, f"{name}_vjp")
    rest = (gain[0], gain[1], grad) if name == "layer_norm" else (gain[0], grad)
    small, *of_weights = vjp(x, *rest, eps=0.0)
    large, *same = vjp(x * 1e200, *rest, eps=0.0)
    np.testing.assert_allclose(large * 1e200, small, rtol=1e-9)
    for a, b in zip(same, of_weights, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
