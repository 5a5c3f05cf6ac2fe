import math

import numpy as np
import pytest

from attnlib import (
    feed_forward,
    gated_feed_forward,
    gelu,
    relu,
    silu,
)
from tests.attnlib import oracle

INF, NAN = math.inf, math.nan


def test_relu_by_hand(xp):
    x = xp.asarray([-INF, -2.0, -0.0, 0.0, 3.0, INF, NAN])
    np.testing.assert_array_equal(np.asarray(relu(x)), [0, 0, 0, 0, 3, INF, NAN])


@pytest.mark.parametrize("x", [-5.0, -1.0, -0.1, 0.0, 0.1, 1.0, 5.0, 30.0, NAN])
def test_gelu_is_the_exact_one(xp, x):
    got = float(gelu(xp.asarray([[x]], dtype=xp.float64))[0, 0])
    assert got == pytest.approx(oracle.gelu(x), rel=1e-14, abs=1e-16, nan_ok=True)


@pytest.mark.parametrize("function", [relu, gelu])
@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (2, 3, 5)])
def test_activations_keep_shapes(xp, function, shape):
    assert function(xp.ones(shape)).shape == shape


@pytest.mark.parametrize("activation", [relu, gelu])
def test_against_loops(xp, rng, activation):
    shapes = [(3, 5), (5, 11), (11,), (11, 5), (5,)]
    x, w_1, b_1, w_2, b_2 = (rng.normal(size=shape) for shape in shapes)
    arrays = [xp.asarray(a) for a in (x, w_1, b_1, w_2, b_2)]
    got = feed_forward(*arrays, activation=activation)
    act = oracle.gelu if activation is gelu else lambda z: max(0.0, z)
    hidden = [[act(z) for z in row] for row in oracle.project(x, w_1, b_1)]
    expected = oracle.project(hidden, w_2, b_2)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12, atol=1e-14)


def test_relu_unless_asked(rng):
    x, w = rng.normal(size=(3, 5)), np.eye(5)
    np.testing.assert_array_equal(feed_forward(x, w, None, w, None), np.maximum(x, 0))


def test_float16_does_not_overflow_in_the_hidden_layer():
    x, w_1 = np.full((1, 2), 300, np.float16), np.full((2, 1), 300, np.float16)
    w_2 = np.full((1, 1), 1 / 1024, np.float16)  # 180000 / 1024
    got = feed_forward(x, w_1, None, w_2, None)
    assert got.dtype == np.float16
    assert float(got[0, 0]) == np.float16(180000 / 1024)


ONES = {"x": (3, 5), "w_1": (5, 11), "b_1": (11,), "w_2": (11, 5), "b_2": (5,)}


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"x": (3, 4)}, r"rows of x must .* got x \(3, 4\) and w_1 \(5, 11\)$"),
        ({"x": (5,)}, r"x must have shape .* got x \(5,\)$"),
        ({"w_1": (11, 5)}, r"w_2 must have as many rows .* w_1 \(11, 5\) and w_2"),
        ({"w_2": (5, 11)}, r"w_2 must have as many rows .* and w_2 \(5, 11\)$"),
        ({"w_1": (5,)}, r"w_1 must be a matrix .* got w_1 \(5,\)$"),
        ({"b_1": (5,)}, r"b_1 must have shape \(11,\), got b_1 \(5,\)$"),
        ({"b_2": (11,)}, r"b_2 must have shape \(5,\), got b_2 \(11,\)$"),
    ],
)
def test_errors(shapes, message):
    arrays = {name: np.ones(shape) for name, shape in (ONES | shapes).items()}
    with pytest.raises(ValueError, match=f"^feed_forward: {message}"):
        feed_forward(**arrays)


def test_activation_must_be_a_function():
    arrays = {name: np.ones(shape) for name, shape in ONES.items()}
    with pytest.raises(
        ValueError, match=r"activation must be a function, got .*'relu'"
    ):
        feed_forward(**arrays, activation="relu")


def test_gelu_in_the_tails(xp):
    """1 + erf(x) loses all its digits there; erfc does not."""
    x = xp.asarray([-9.0, -30.0, -INF, INF, 0.0, math.nan])
    got = np.asarray(gelu(x))
    np.testing.assert_allclose(got[0], -9 * 1.1285884059538406e-19, rtol=1e-12)
    np.testing.assert_allclose(got[1], -30 * math.erfc(30 / 2**0.5) / 2, rtol=1e-12)
    np.testing.assert_array_equal(got[2:], [0, INF, 0, math.nan])


@pytest.mark.parametrize("x", [-30.0, -1.0, 0.0, 0.5, 30.0, NAN])
def test_silu(xp, x):
    expected = x / (1 + math.exp(-x))
    got = silu(xp.asarray([x], dtype=xp.float64))
    np.testing.assert_allclose(np.asarray(got), [expected], rtol=1e-13)


def test_silu_in_the_tails(xp):
    x = xp.asarray([-INF, -1000.0, 1000.0, INF], dtype=xp.float32)
    assert np.asarray(silu(x)).tolist() == [0, 0, 1000, INF]


def test_gated_feed_forward_by_hand(xp):
    """relu([1, −1]) · [3, 5] is [3, 0]; its product with [[2], [7]] is 6."""
    x, w_gate = xp.asarray([[1.0]]), xp.asarray([[1.0, -1.0]])
    w_up, w_down = xp.asarray([[3.0, 5.0]]), xp.asarray([[2.0], [7.0]])
    got = gated_feed_forward(x, w_gate, w_up, w_down, activation=relu)
    assert np.asarray(got).tolist() == [[6.0]]
    got = gated_feed_forward(x, w_gate, w_up, w_down)
    expected = [[2 * 3 / (1 + math.exp(-1)) - 7 * 5 / (1 + math.exp(1))]]
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-13)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([(3, 4), (4, 6), (4, 5), (6, 4)], r"w_up must have shape \(4, 6\)"),
        ([(3, 4), (4, 6), (4, 6), (5, 4)], r"w_down must have as many rows"),
        ([(3, 5), (4, 6), (4, 6), (6, 4)], r"rows of x must be as long as w_gate"),
        ([(3, 4), (4,), (4, 6), (6, 4)], r"w_gate must be a matrix"),
    ],
)
def test_gated_errors(shapes, message):
    with pytest.raises(ValueError, match=f"^gated_feed_forward: {message}"):
        gated_feed_forward(*map(np.ones, shapes))


def test_a_gated_network_needs_an_activation():
    weights = np.ones((4, 6)), np.ones((4, 6)), np.ones((6, 4))
    with pytest.raises(ValueError, match=r"^gated_feed_forward: activation must be a"):
        gated_feed_forward(np.ones((3, 4)), *weights, activation="silu")
