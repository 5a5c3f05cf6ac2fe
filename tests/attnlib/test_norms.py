""""""

import math

import numpy as np
import pytest

from attnlib import layer_norm, rms_norm
from tests.attnlib import oracle


def test_by_hand(xp):
    """Mean 3, squared deviations 4, 0, 4 and 16, so the variance is 6."""
    x, gain = xp.asarray([[1.0, 3.0, 1.0, 7.0]]), xp.asarray([1.0, 2.0, 3.0, 4.0])
    root = math.sqrt(6 + 3)
    expected = [[-2 / root + 1, 1, -6 / root + 1, 16 / root + 1]]
    got = layer_norm(x, gain, xp.ones(4), eps=3)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-14)


def test_against_loops(rng):
    x, gain, bias = rng.normal(size=(3, 5)), rng.normal(size=5), rng.normal(size=5)
    expected = oracle.layer_norm(x, gain, bias, 1e-5)
    got = layer_norm(x, gain, bias)
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)


def test_eps_is_1e_5_unless_given():
    x = [[0.0, 0.002]]  # variance 1e-6, so that eps counts
    expected = 0.001 / math.sqrt(1e-6 + 1e-5)
    got = layer_norm(x, [1.0, 1.0])
    np.testing.assert_allclose(got, [[-expected, expected]], rtol=1e-13)


def test_two_passes_keep_small_differences_of_large_numbers():
    x = np.array([[1e8, 1e8 + 1, 1e8 + 2]])
    expected = np.array([[-1, 0, 1]]) / math.sqrt(2 / 3)
    np.testing.assert_allclose(layer_norm(x, np.ones(3), eps=0.0), expected, rtol=1e-12)


def test_equal_numbers_give_the_bias():
    bias = [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(
        layer_norm(np.full((2, 3), 7.0), bias, bias), [bias] * 2
    )


def test_float16_does_not_overflow():
    """The squared deviation of 30000 is beyond float16."""
    x = np.array([[-30000, 30000]], np.float16)
    got = layer_norm(x, np.ones(2, np.float16))
    assert got.dtype == np.float16
    assert got.tolist() == [[-1, 1]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones((3, 5)), np.ones(4)), r"gain must have shape \(5,\), got gain"),
        ((np.ones((3, 5)), np.ones((1, 5))), r"gain must have shape \(5,\), got gain"),
        ((np.ones((3, 5)), 1.0), r"gain must have shape \(5,\), got gain \(\)$"),
        ((np.ones((3, 5)), np.ones(5), np.ones(3)), r"bias must have shape \(5,\)"),
        ((np.ones((3, 0)), np.ones(0)), r"x must have shape .* got x \(3, 0\)$"),
        ((1.0, np.ones(1)), r"x must have shape .* got x \(\)$"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=f"^layer_norm: {message}"):
        layer_norm(*arguments)


@pytest.mark.parametrize("eps", [-1e-5, math.nan, "a", None, True])
def test_eps_must_be_a_number_that_is_not_negative(eps):
    with pytest.raises(ValueError, match=r"^layer_norm: eps must"):
        layer_norm([[1.0, 2.0]], [1.0, 1.0], eps=eps)


@pytest.mark.parametrize(("number", "d"), [(12345.6, 6), (3e7 / 0.9, 7), (0.1, 1000)])
def test_rows_of_equal_numbers_are_zero(xp, number, d):
    """The mean of equal numbers is that number, and not rounded to another one."""
    x = xp.full((2, d), number, dtype=xp.float32)
    got = layer_norm(x, xp.ones(d, dtype=xp.float32))
    assert not np.any(np.asarray(got))


@pytest.mark.parametrize(("dtype", "huge"), [(float, 1e200), (np.float32, 1e20)])
def test_rows_of_huge_numbers(dtype, huge):
    """Their squares overflow, but what they are divided by need not."""
    x = np.array([[huge, -huge, 0, 0], [3, 1, 0, 0], [-huge, 1, 0, 0]], dtype)
    got = layer_norm(x, np.ones(4, dtype))
    assert got.dtype == dtype
    np.testing.assert_allclose(got.mean(axis=-1), 0, atol=1e-6)
    np.testing.assert_allclose(got.var(axis=-1), 1, rtol=1e-5)
    np.testing.assert_allclose(got[0], [2**0.5, -(2**0.5), 0, 0], rtol=1e-6)
    largest = np.finfo(dtype).max
    full = layer_norm(np.array([[largest, -largest]], dtype), np.ones(2, dtype))
    np.testing.assert_allclose(full, [[1, -1]], rtol=1e-6)


@pytest.mark.parametrize("norm", [layer_norm, rms_norm])
def test_beside_huge_numbers_eps_is_nothing(norm):
    x, gain = np.array([3e200, -4e200, 1e200]), np.ones(3)
    got, alone = (norm(x, gain, eps=eps) for eps in (9.0, 0.0))
    np.testing.assert_allclose(got, alone, rtol=1e-15)


def test_an_outlier_does_not_shift_the_rest(rng):
    x = rng.normal(size=(1, 4096))
    x[0, 0] = 1e4
    got = layer_norm(x.astype(np.float32), np.ones(4096, np.float32))
    exact = layer_norm(x.astype(np.float32).astype(float), np.ones(4096))
    np.testing.assert_allclose(got, exact, atol=2e-5)


def test_by_hand_rms_norm(xp):
    """Squares 1, 9, 1 and 25, so their mean is 9."""
    x, gain = xp.asarray([[1.0, -3.0, 1.0, 5.0]]), xp.asarray([1.0, 2.0, 3.0, 4.0])
    got = rms_norm(x, gain, eps=7)
    np.testing.assert_allclose(np.asarray(got), [[0.25, -1.5, 0.75, 5]], rtol=1e-14)


def test_against_loops_rms_norm(rng):
    x, gain = rng.normal(size=(3, 5)), rng.normal(size=5)
    expected = oracle.rms_norm(x, gain, 1e-5)
    np.testing.assert_allclose(rms_norm(x, gain), expected, rtol=1e-12)
    np.testing.assert_allclose(rms_norm(x), oracle.rms_norm(x, np.ones(5), 1e-5))


def test_eps_is_1e_5_unless_given_rms_norm():
    expected = 0.001 / np.sqrt(1e-6 + 1e-5)
    np.testing.assert_allclose(rms_norm([[0.001, -0.001]])[0, 0], expected, rtol=1e-13)
    assert not rms_norm(np.zeros((2, 3))).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones((3, 5)), np.ones(4)), r"gain must have shape \(5,\), got gain"),
        ((np.ones((3, 0)),), r"x must have shape .* got x \(3, 0\)$"),
        ((1.0,), r"x must have shape .* got x \(\)$"),
    ],
)
def test_errors_rms_norm(arguments, message):
    with pytest.raises(ValueError, match=f"^rms_norm: {message}"):
        rms_norm(*arguments)
    with pytest.raises(ValueError, match=r"^rms_norm: eps must not be negative"):
        rms_norm([1.0], eps=-1)


@pytest.mark.parametrize(("dtype", "huge"), [(float, 1e200), (np.float32, 1e20)])
def test_rows_of_huge_numbers_rms_norm(dtype, huge):
    x = np.array([[huge, -7 * huge], [1, 7], [0, 0]], dtype)
    got = rms_norm(x, eps=1e-12)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, [[0.2, -1.4], [0.2, 1.4], [0, 0]], rtol=1e-6)
