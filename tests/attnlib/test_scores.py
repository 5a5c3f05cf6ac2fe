import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlib import cosine_similarity, dot_product_scores, scale_scores
from tests.attnlib import oracle

finite = st.floats(-1e3, 1e3)


def test_dot_products_by_hand(xp):
    query = xp.asarray([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    key = xp.asarray([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    expected = [[1, 1, 0], [1, 0, 1], [2, 1, 1]]
    np.testing.assert_array_equal(np.asarray(dot_product_scores(query, key)), expected)


def test_dot_products_against_loops(rng):
    query, key = rng.normal(size=(3, 5)), rng.normal(size=(7, 5))
    expected = [[oracle.dot(q, k) for k in key] for q in query]
    np.testing.assert_allclose(dot_product_scores(query, key), expected, rtol=1e-13)


def test_dot_products_broadcast_over_batches(rng):
    query, key = rng.normal(size=(11, 1, 3, 5)), rng.normal(size=(2, 7, 5))
    scores = dot_product_scores(query, key)
    assert scores.shape == (11, 2, 3, 7)
    one = dot_product_scores(query[4, 0], key[1])
    np.testing.assert_allclose(scores[4, 1], one, rtol=1e-13)


@given(hnp.arrays(float, (3, 5), elements=finite), st.integers(1, 1000))
def test_scaling_divides_by_the_root(scores, d_k):
    expected = scores / math.sqrt(d_k)
    np.testing.assert_allclose(scale_scores(scores, d_k), expected, rtol=1e-15)


def test_scaling_by_eight_at_the_size_of_the_paper(xp):
    scaled = scale_scores(xp.asarray([112.0, 96.0]), 64)
    np.testing.assert_array_equal(np.asarray(scaled), [14, 12])


def test_scaling_keeps_float32(xp):
    scores = xp.ones((2, 3), dtype=xp.float32)
    for d_k in (5, np.int64(5), np.float64(5)):
        assert scale_scores(scores, d_k).dtype == xp.float32


def test_float16_scores_are_computed_in_float32():
    # 300² = 90000 is beyond float16, the difference is not.
    query = np.array([[300, 300]], np.float16)
    scores = dot_product_scores(query, np.array([[300, -299]], np.float16))
    assert scores.dtype == np.float16
    assert scores == 300


@pytest.mark.parametrize(
    ("a", "b", "cosine"),
    [
        ([1, 0], [0, 2], 0),
        ([1, 0], [3, 3], math.sqrt(0.5)),
        ([3, 4], [-6, -8], -1),
        ([1, 2, 2], [2, 1, 2], 8 / 9),
        ([0, 0], [3, 4], 0),
        ([0, 0], [0, 0], 0),
        ([1e200, 1e200], [1e-200, 0], math.sqrt(0.5)),
        ([5e-324, 0], [1e308, 1e308], math.sqrt(0.5)),
    ],
)
def test_cosines_by_hand(xp, a, b, cosine):
    a, b = xp.asarray(a, dtype=xp.float64), xp.asarray(b, dtype=xp.float64)
    got = float(cosine_similarity(a, b))
    assert got == pytest.approx(cosine, rel=1e-15, abs=1e-15)


vectors = hnp.arrays(float, (3, 5), elements=finite)


@given(vectors, vectors, st.floats(1e-3, 1e3))
def test_cosine_ignores_length_and_stays_in_range(a, b, stretch):
    a[np.abs(a) < 1e-290] = 0  # stretched, it would be rounded, or be 0
    cosine = cosine_similarity(a, b)
    assert (np.abs(cosine) <= 1).all()
    longer = cosine_similarity(a * stretch, b)
    np.testing.assert_allclose(longer, cosine, atol=1e-12)
    np.testing.assert_allclose(cosine_similarity(b, a), cosine, atol=1e-12)


@given(vectors)
def test_cosine_with_itself_is_one(a):
    cosine = cosine_similarity(a, a)
    np.testing.assert_allclose(cosine, np.any(a != 0, axis=-1), atol=1e-12)


def test_cosines_broadcast_over_leading_dimensions(rng):
    a, b = rng.normal(size=(3, 1, 5)), rng.normal(size=(7, 5))
    cosine = cosine_similarity(a, b)
    assert cosine.shape == (3, 7)
    expected = oracle.dot(a[1, 0], b[6])
    expected /= math.hypot(*a[1, 0]) * math.hypot(*b[6])
    np.testing.assert_allclose(cosine[1, 6], expected, rtol=1e-13)


def test_cosine_keeps_nan_and_dtype():
    a = np.array([[math.nan, 1], [1, 1]], np.float32)
    cosine = cosine_similarity(a, a)
    assert cosine.dtype == np.float32
    assert np.isnan(cosine).tolist() == [True, False]


ONES = np.ones


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: dot_product_scores(ONES((3, 5)), ONES((7, 4))),
            r"^dot_product_scores: query and key must have the same d_k, "
            r"got query \(3, 5\) and key \(7, 4\)",
        ),
        (
            lambda: dot_product_scores(ONES(5), ONES((7, 5))),
            r"^dot_product_scores: query must have shape .* got query \(5,\)",
        ),
        (
            lambda: dot_product_scores(ONES((3, 0)), ONES((7, 0))),
            r"^dot_product_scores: query .* got query \(3, 0\)",
        ),
        (
            lambda: dot_product_scores(ONES((3, 5)), ONES((0, 5))),
            r"^dot_product_scores: key must have at least one row, got key \(0, 5\)",
        ),
        (
            lambda: dot_product_scores(ONES((2, 3, 5)), ONES((11, 7, 5))),
            r"^dot_product_scores: batch dimensions must broadcast, "
            r"got query \(2, 3, 5\) and key \(11, 7, 5\)",
        ),
        (lambda: scale_scores([1.0], 0), r"^scale_scores: d_k must be a positive.* 0$"),
        (lambda: scale_scores([1.0], -4), r"^scale_scores: d_k must be .* -4$"),
        (lambda: scale_scores([1.0], math.nan), r"^scale_scores: d_k must .* nan$"),
        (lambda: scale_scores([1.0], math.inf), r"^scale_scores: d_k must .* inf$"),
        (lambda: scale_scores([1.0], True), r"^scale_scores: d_k must be .* True$"),
        (lambda: scale_scores([1.0], "4"), r"^scale_scores: d_k must be .* '4'$"),
        (lambda: scale_scores([1j], 4), r"^scale_scores: scores must hold real .*128"),
        (lambda: cosine_similarity([1.0, 2.0], [1.0]), "^cosine_similarity: a and b"),
        (lambda: cosine_similarity(1.0, [1.0]), r"^cosine_similarity: .* a \(\) and"),
        (lambda: cosine_similarity([1.0], 1.0), r"^cosine_similarity: .* and b \(\)"),
        (lambda: cosine_similarity([], []), r"^cosine_similarity: .* a \(0,\) and"),
        (
            lambda: cosine_similarity(ONES((2, 5)), ONES((3, 5))),
            r"^cosine_similarity: leading dimensions must broadcast, got a \(2, 5\)",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
