""""""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlib import cross_entropy, softmax

INF, NAN = math.inf, math.nan
shapes = hnp.array_shapes(max_dims=3, max_side=5)
any_finite = st.floats(allow_nan=False, allow_infinity=False)


def test_by_hand(xp):
    x = xp.asarray([[0.0, math.log(2), math.log(5)], [1.0, 1.0, 1.0]])
    expected = [[1 / 8, 2 / 8, 5 / 8], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(np.asarray(softmax(x)), expected, rtol=1e-15)


def test_scores_of_a_thousand(xp):
    weights = softmax(xp.asarray([1000.0, 1001.0, 1002.0]))
    exps = [math.exp(-2), math.exp(-1), 1]
    expected = [e / sum(exps) for e in exps]
    np.testing.assert_allclose(np.asarray(weights), expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        ([1e30, -1e30], [1, 0]),
        ([-1e30, -1e30], [0.5, 0.5]),
        ([1.7e308, -1.7e308], [1, 0]),
        ([-1.7e308, -INF], [1, 0]),
        ([-INF, 3, 3], [0, 0.5, 0.5]),
        ([-INF, -INF], [0, 0]),
        ([5], [1]),
        ([0, NAN], [NAN, NAN]),
        ([-INF, NAN], [NAN, NAN]),
        ([0, INF], [NAN, NAN]),
        ([-INF, INF], [NAN, NAN]),
    ],
)
def test_extremes(xp, x, expected):
    weights = softmax(xp.asarray(x, dtype=xp.float64))
    np.testing.assert_array_equal(np.asarray(weights), expected)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_the_largest_numbers_of_every_dtype(dtype):
    huge = np.finfo(dtype).max
    weights = softmax(np.array([[huge, -huge], [-huge, -np.inf]], dtype))
    assert weights.dtype == dtype
    np.testing.assert_array_equal(weights, [[1, 0], [1, 0]])


@given(hnp.arrays(float, shapes, elements=any_finite), st.data())
def test_finite_scores_give_weights_that_sum_to_one(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    weights = softmax(x, axis=axis)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=1e-14)


small = st.floats(-30, 30)


@given(hnp.arrays(float, (3, 5), elements=small))
def test_ratios_are_exponentials_of_differences(x):
    weights = softmax(x)
    ratios = weights[:, 1:] / weights[:, :-1]
    np.testing.assert_allclose(ratios, np.exp(np.diff(x)), rtol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_every_axis(xp, axis):
    x = np.arange(30.0).reshape(2, 3, 5) % 7
    weights = np.asarray(softmax(xp.asarray(x), axis=axis))
    expected = np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)
    np.testing.assert_allclose(weights, expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("x", "axis", "message"),
    [
        ([], -1, r"^softmax: axis -1 must not have length 0, got x \(0,\)"),
        ([[1.0]], 2, r"^softmax: x has no axis 2, got x \(1, 1\)"),
        ([[1.0]], -3, r"^softmax: x has no axis -3"),
        (1.0, -1, r"^softmax: x has no axis -1, got x \(\)"),
        ([1.0], 0.0, r"^softmax: axis must be an integer, got axis 0.0"),
        ([1.0], None, r"^softmax: axis must be an integer, got axis None"),
        ([[1.0], [1.0, 2.0]], -1, r"^softmax: x must be an array or evenly nested"),
    ],
)
def test_errors(x, axis, message):
    with pytest.raises(ValueError, match=message):
        softmax(x, axis=axis)


def test_by_hand_cross_entropy(xp):
    logits = xp.asarray([[0.0, math.log(3)], [0.0, 0.0]], dtype=xp.float64)
    got = cross_entropy(logits, xp.asarray([1, 0]))
    np.testing.assert_allclose(np.asarray(got), [math.log(4 / 3), math.log(2)])


def test_against_softmax(rng):
    logits, targets = rng.normal(size=(2, 3, 7)) * 5, rng.integers(7, size=(2, 3))
    got = cross_entropy(logits, targets)
    assert got.shape == (2, 3)
    for i in np.ndindex(2, 3):
        expected = -math.log(softmax(logits[i])[targets[i]])
        assert got[i] == pytest.approx(expected, rel=1e-12)


def test_large_and_small_losses_are_exact():
    logits = [[1000.0, 0.0], [1000.0, 0.0], [-1e300, 1e300]]
    assert cross_entropy(logits, [1, 0, 1]).tolist() == [1000, 0, 0]
    assert cross_entropy([[0.0, -INF]], [0]) == 0
    assert cross_entropy([[0.0, -INF]], [1]) == INF


def test_a_vocabulary_of_one_token_leaves_nothing_to_lose():
    assert cross_entropy([[3.0], [-INF]], [0, 0]).tolist() == [
        0,
        INF,
    ]


def test_one_row_and_none():
    assert cross_entropy([0.0, 0.0, 0.0], 2) == pytest.approx(math.log(3))
    assert cross_entropy(np.ones((0, 3)), np.ones(0, int)).shape == (0,)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64])
def test_targets_of_every_integer_dtype(xp, dtype):
    targets = xp.asarray(np.array([0, 2], dtype))
    logits = xp.asarray([[0.0, 1.0, 2.0]] * 2, dtype=xp.float32)
    got = cross_entropy(logits, targets)
    assert got.dtype == xp.float32
    np.testing.assert_allclose(np.asarray(got), [2.407606, 0.407606], rtol=1e-6)


@pytest.mark.parametrize(
    ("logits", "targets", "message"),
    [
        ([[0.0, 1.0]], [2], r"targets must be integers from 0 to 1, got targets 2$"),
        ([[0.0, 1.0]], [-1], r"targets must be integers from 0 to 1, got targets -1$"),
        ([[0.0, 1.0]], [0.0], "targets must be integers from 0 to 1, got dtype"),
        ([[0.0, 1.0]], 0, r"targets must have the shape of logits .* targets \(\)$"),
        ([[0.0, 1.0]], [0, 1], r"targets must have the shape of logits .* \(2,\)$"),
        (1.0, 0, r"logits must have shape \(..., vocab_size\)"),
        (np.ones((2, 0)), [0, 0], r"logits must have shape \(..., vocab_size\)"),
    ],
)
def test_errors_cross_entropy(logits, targets, message):
    with pytest.raises(ValueError, match=f"^cross_entropy: {message}"):
        cross_entropy(logits, targets)


def test_targets_that_are_impossible(xp):
    """Also where no logit of the row is possible; NaN is not hidden."""
    logits = xp.asarray(
        [
            [-INF, -INF],
            [-INF, 0.0],
            [-INF, np.nan],
            [-INF, INF],
        ]
    )
    got = np.asarray(cross_entropy(logits, xp.asarray([0, 0, 0, 0])))
    np.testing.assert_array_equal(got, [INF, INF, np.nan, np.nan])
