import numpy as np
import pytest

from attnlib import layer_norm, rms_norm
from tests.attnlib import oracle


def test_by_hand(xp):
    """Squares 1, 9, 1 and 25, so their mean is 9."""
    x, gain = xp.asarray([[1.0, -3.0, 1.0, 5.0]]), xp.asarray([1.0, 2.0, 3.0, 4.0])
    got = rms_norm(x, gain, eps=7)
    np.testing.assert_allclose(np.asarray(got), [[0.25, -1.5, 0.75, 5]], rtol=1e-14)


def test_against_loops(rng):
    x, gain = rng.normal(size=(3, 5)), rng.normal(size=5)
    expected = oracle.rms_norm(x, gain, 1e-5)
    np.testing.assert_allclose(rms_norm(x, gain), expected, rtol=1e-12)
    np.testing.assert_allclose(rms_norm(x), oracle.rms_norm(x, np.ones(5), 1e-5))


def test_of_centered_rows_it_is_layer_norm(rng):
    x = rng.normal(size=(2, 3, 5))
    x -= x.mean(axis=-1, keepdims=True)
    np.testing.assert_allclose(rms_norm(x), layer_norm(x, np.ones(5)), rtol=1e-12)


def test_eps_is_1e_5_unless_given():
    expected = 0.001 / np.sqrt(1e-6 + 1e-5)
    np.testing.assert_allclose(rms_norm([[0.001, -0.001]])[0, 0], expected, rtol=1e-13)
    assert not rms_norm(np.zeros((2, 3))).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (np.ones((3, 5)), np.ones(4)),
            r"gain must have shape \(5,\), got gain \(4,\)$",
        ),
        ((np.ones((3, 0)),), r"x must have shape .* got x \(3, 0\)$"),
        ((1.0,), r"x must have shape .* got x \(\)$"),
        (([True],), r"x must hold real numbers"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=f"^rms_norm: {message}"):
        rms_norm(*arguments)
    with pytest.raises(ValueError, match=r"^rms_norm: eps must not be negative"):
        rms_norm([1.0], eps=-1)


@pytest.mark.parametrize(("dtype", "huge"), [(float, 1e200), (np.float32, 1e20)])
def test_rows_of_huge_numbers(dtype, huge):
    x = np.array([[huge, -7 * huge], [1, 7], [0, 0]], dtype)
    got = rms_norm(x, eps=1e-12)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, [[0.2, -1.4], [0.2, 1.4], [0, 0]], rtol=1e-6)


def test_beside_huge_numbers_eps_is_nothing():
    x = np.array([3e200, -4e200, 1e200])
    np.testing.assert_allclose(rms_norm(x, eps=9.0), rms_norm(x, eps=0.0), rtol=1e-15)
