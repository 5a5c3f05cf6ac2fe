import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlib import cosine_similarity, dot_product_scores, scale_scores
from tests.attnlib import oracle

finite = st.floats(-1e3, 1e3)


def test_dot_products_against_loops(xp, rng):
    query, key = rng.normal(size=(3, 5)), rng.normal(size=(7, 5))
    expected = [[oracle.dot(q, k) for k in key] for q in query]
    got = dot_product_scores(xp.asarray(query), xp.asarray(key))
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-13)


def test_dot_products_broadcast_over_batches(rng):
    query, key = rng.normal(size=(11, 1, 3, 5)), rng.normal(size=(2, 7, 5))
    scores = dot_product_scores(query, key)
    assert scores.shape == (11, 2, 3, 7)
    one = dot_product_scores(query[4, 0], key[1])
    np.testing.assert_allclose(scores[4, 1], one, rtol=1e-13)


@pytest.mark.parametrize("d_k", [1, 2, 64, 1000])
def test_scaling_divides_by_the_root(xp, d_k):
    scaled = scale_scores(xp.asarray([112.0, 96.0, -3.0]), d_k)
    expected = np.array([112, 96, -3]) / math.sqrt(d_k)
    np.testing.assert_allclose(np.asarray(scaled), expected, rtol=1e-15)


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
BATCHES = ONES((2, 3, 5)), ONES((11, 7, 5))
REFUSED = [  # function, arguments, and how the message goes on
    (dot_product_scores, (ONES((3, 5)), ONES((7, 4))), r"query .* d_k, .* \(7, 4\)"),
    (dot_product_scores, (ONES(5), ONES((7, 5))), r"query must .* got query \(5,\)"),
    (dot_product_scores, (ONES((3, 0)), ONES((7, 0))), r"query .* query \(3, 0\)"),
    (dot_product_scores, (ONES((3, 5)), ONES((0, 5))), "key must have at least one"),
    (dot_product_scores, BATCHES, r"batch dimensions .* and key \(11, 7, 5\)"),
    (scale_scores, ([1.0], 0), r"d_k must be a positive.* 0$"),
    (scale_scores, ([1.0], -4), r"d_k must be .* -4$"),
    (scale_scores, ([1.0], math.nan), r"d_k must .* nan$"),
    (scale_scores, ([1.0], math.inf), r"d_k must .* inf$"),
    (scale_scores, ([1.0], True), r"d_k must be .* True$"),
    (scale_scores, ([1.0], "4"), r"d_k must be .* '4'$"),
    (cosine_similarity, ([1.0, 2.0], [1.0]), "a and b"),
    (cosine_similarity, (1.0, [1.0]), r".* a \(\) and"),
    (cosine_similarity, ([1.0], 1.0), r".* and b \(\)"),
    (cosine_similarity, ([], []), r".* a \(0,\) and"),
    (cosine_similarity, (ONES((2, 5)), ONES((3, 5))), r"leading .* a \(2, 5\)"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), REFUSED)
def test_errors(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{function.__name__}: {message}"):
        function(*arguments)
