import math

import numpy as np
import pytest

from attnlib import cross_entropy, softmax

INF = np.inf


def test_by_hand(xp):
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
    assert cross_entropy([[3.0], [-INF]], [0, 0]).tolist() == [0, INF]


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
        (
            [[0.0, 1.0]],
            [0.0],
            r"targets must be integers from 0 to 1, got dtype float64",
        ),
        ([[0.0, 1.0]], 0, r"targets must have the shape of logits .* targets \(\)$"),
        ([[0.0, 1.0]], [0, 1], r"targets must have the shape of logits .* \(2,\)$"),
        (1.0, 0, r"logits must have shape \(..., vocab_size\)"),
        (np.ones((2, 0)), [0, 0], r"logits must have shape \(..., vocab_size\)"),
        ([[True, False]], [0], r"logits must hold real numbers"),
    ],
)
def test_errors(logits, targets, message):
    with pytest.raises(ValueError, match=f"^cross_entropy: {message}"):
        cross_entropy(logits, targets)


def test_targets_that_are_impossible(xp):
    """Also where no logit of the row is possible; NaN is not hidden."""
    logits = xp.asarray([[-INF, -INF], [-INF, 0.0], [-INF, np.nan], [-INF, INF]])
    got = np.asarray(cross_entropy(logits, xp.asarray([0, 0, 0, 0])))
    np.testing.assert_array_equal(got, [INF, INF, np.nan, np.nan])
