from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlib import (
    attention_weights,
    causal_mask,
    padding_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
)
from tests.attnlib import oracle

INF = np.inf
sliding = partial(sliding_window_mask, 2, 3, window=(1, 0))
masks = hnp.arrays(bool, (3, 7))


@pytest.fixture
def qkv(rng):
    return (rng.normal(size=shape) for shape in [(3, 5), (7, 5), (7, 11)])


@given(st.integers(0, 9), st.integers(1, 9), st.integers(-9, 9))
def test_causal_mask_against_its_rule(n_queries, n_keys, offset):
    mask = causal_mask(n_queries, n_keys, query_offset=offset)
    assert mask.shape == (n_queries, n_keys)
    for i, j in np.ndindex(n_queries, n_keys):
        assert mask[i, j] == (j <= i + offset)


def test_padding_mask_by_hand(xp):
    mask = padding_mask(xp.asarray([[2, 0], [1, 3]]), 3)
    assert mask.shape == (2, 2, 1, 3)
    rows = np.asarray(mask)[:, :, 0].astype(int).tolist()
    assert rows == [[[1, 1, 0], [0, 0, 0]], [[1, 0, 0], [1, 1, 1]]]


def test_padding_mask_of_one_length():
    assert padding_mask(2, 3).tolist() == [[True, True, False]]
    assert padding_mask([], 3).shape == (0, 1, 3)


@given(masks, st.integers(0, 99))
def test_boolean_masks_against_loops(mask, seed):
    rng = np.random.default_rng(seed)
    query, key, value = (rng.normal(size=s) for s in [(3, 5), (7, 5), (7, 11)])
    weights = attention_weights(query, key, mask=mask)
    expected = oracle.weights(query, key, allowed=mask)
    np.testing.assert_allclose(weights, expected, rtol=1e-12)
    assert (weights[~mask] == 0).all()
    output = scaled_dot_product_attention(query, key, value, mask=mask)
    expected = oracle.attention(query, key, value, allowed=mask)
    np.testing.assert_allclose(output, expected, rtol=1e-12, atol=1e-14)


@given(masks)
def test_minus_infinity_in_a_float_mask_is_false(mask):
    rng = np.random.default_rng(5)
    query, key = rng.normal(size=(3, 5)), rng.normal(size=(7, 5))
    floats = np.where(mask, 0.0, -INF)
    got = attention_weights(query, key, mask=floats)
    np.testing.assert_array_equal(got, attention_weights(query, key, mask=mask))


@pytest.mark.parametrize(
    "shape", [(), (1,), (7,), (3, 1), (1, 7), (3, 7), (2, 1, 7), (13, 1, 3, 7)]
)
def test_masks_broadcast_to_the_scores(xp, rng, shape):
    query, key = rng.normal(size=(13, 2, 3, 5)), rng.normal(size=(13, 2, 7, 5))
    mask = np.asarray(rng.random(size=shape) < 0.6)
    full = np.broadcast_to(mask, (13, 2, 3, 7))
    arrays = xp.asarray(query), xp.asarray(key)
    got = attention_weights(*arrays, mask=xp.asarray(mask))
    expected = attention_weights(query, key, mask=full)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-13)


def test_the_scores_do_not_have_the_batch_of_values(qkv):
    query, key, value = qkv
    values = np.stack([value, -value])
    with pytest.raises(ValueError, match=r"scores' shape \(3, 7\)"):
        scaled_dot_product_attention(query, key, values, mask=np.ones((2, 3, 7), bool))


@pytest.mark.parametrize(
    "mask", [False, [[False] * 7] * 3, np.full((3, 7), -INF), np.full(7, -INF)]
)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_who_may_attend_to_nothing_gets_zeros(qkv, mask, dtype):
    query, key, value = (a.astype(dtype) for a in qkv)
    weights = attention_weights(query, key, mask=mask)
    output = scaled_dot_product_attention(query, key, value, mask=mask)
    assert weights.dtype == output.dtype == dtype
    assert not weights.any()
    assert not output.any()


def test_a_forbidden_key_may_hold_anything(qkv):
    query, key, _ = qkv
    mask = np.ones((3, 7), bool)
    mask[:, 4] = False
    clean = attention_weights(query, key, mask=mask)
    for content in (np.nan, 1e300):
        key[4] = content
        got = attention_weights(query, key, mask=mask)
        np.testing.assert_array_equal(got, clean)
        got = attention_weights(query, key, mask=np.where(mask, 0.0, -INF))
        np.testing.assert_array_equal(got, clean)


def test_a_forbidden_nan_value_still_reaches_the_output(qkv):
    query, key, value = qkv
    value[4] = np.nan
    mask = np.arange(7) != 4
    assert np.isnan(scaled_dot_product_attention(query, key, value, mask=mask)).all()


@pytest.mark.parametrize("of_mask", [np.float16, np.float32, np.float64, np.longdouble])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_masks_never_change_the_dtype(qkv, of_mask, dtype):
    query, key, value = (a.astype(dtype) for a in qkv)
    mask = np.where(causal_mask(3, 7), 0, np.finfo(of_mask).min).astype(of_mask)
    if of_mask == np.float16:
        mask = mask * of_mask(0.5)
    got = scaled_dot_product_attention(query, key, value, mask=mask)
    assert got.dtype == dtype
    expected = scaled_dot_product_attention(query, key, value, is_causal=True)
    few = 4 * np.finfo(dtype).eps  # sums may be taken in another order
    np.testing.assert_allclose(got, expected, rtol=few, atol=few)


def test_the_lowest_number_does_not_overflow_where_scores_are_low_too():
    query, key = np.full((1, 2), 1e19, np.float32), np.full((2, 2), -1e19, np.float32)
    mask = np.array([0, np.finfo(np.float32).min], np.float32)
    assert attention_weights(query, key, mask=mask).tolist() == [[1, 0]]


def test_nan_in_a_float_mask_shows():
    weights = attention_weights(
        np.ones((2, 1)), np.ones((2, 1)), mask=[[0, np.nan]] * 2
    )
    assert np.isnan(weights).all()


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (np.ones((3, 7), int), r"be boolean .*int64; .*mask.astype\(bool\)"),
        ([[1] * 7] * 3, r"be boolean .*int64; .*mask.astype\(bool\)"),
        (np.ones((3, 7), np.uint8), r"be boolean .*uint8"),
        (np.ones((3, 7), complex), r"hold real numbers, got dtype complex128"),
        ([["a"]], r"hold real numbers, got dtype <U1"),
        ([[True], [True, False]], r"be an array or evenly nested"),
        (np.ones((7, 3), bool), r"the scores' shape \(2, 3, 7\), got mask \(7, 3\)$"),
        (np.ones((3, 6), bool), r"the scores' shape \(2, 3, 7\), got mask \(3, 6\)$"),
        (np.ones((1, 2, 3, 7), bool), r"the scores' shape \(2, 3, 7\), got mask \(1"),
        (np.ones((5, 3, 7)), r"the scores' shape \(2, 3, 7\), got mask \(5, 3, 7\)$"),
        (np.ones(0, bool), r"the scores' shape \(2, 3, 7\), got mask \(0,\)$"),
    ],
)
def test_masks_that_are_refused(mask, message):
    query, key, value = np.ones((2, 3, 5)), np.ones((2, 7, 5)), np.ones((2, 7, 11))
    names = ("attention_weights", "scaled_dot_product_attention")
    with pytest.raises(ValueError, match=f"^{names[0]}: mask must.* {message}"):
        attention_weights(query, key, mask=mask)
    with pytest.raises(ValueError, match=f"^{names[1]}: mask must.* {message}"):
        scaled_dot_product_attention(query, key, value, mask=mask)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: causal_mask(-1), r"^causal_mask: n_queries must be .* got .* -1$"),
        (lambda: causal_mask(2, -1), r"^causal_mask: n_keys must be .* 1, got .* -1$"),
        (lambda: causal_mask(2, 0), r"^causal_mask: n_keys must be .* 1, got .* 0$"),
        (lambda: causal_mask(2.0), r"^causal_mask: n_queries must be .* got .* 2.0$"),
        (lambda: causal_mask(True), r"^causal_mask: n_queries must be .* got .* True$"),
        (lambda: causal_mask(2, "3"), r"^causal_mask: n_keys must be .* got .* '3'$"),
        (lambda: causal_mask(2, query_offset=0.5), "^causal_mask: query_offset must"),
        (lambda: padding_mask([4, 1], 3), r"^padding_mask: .* 0 to 3, got .* 4$"),
        (lambda: padding_mask([-1, 2], 3), r"^padding_mask: .* 0 to 3, got .*-1$"),
        (lambda: padding_mask([2.0], 3), r"^padding_mask: lengths .* dtype float64$"),
        (lambda: padding_mask([True], 3), r"^padding_mask: lengths .* dtype bool$"),
        (lambda: padding_mask([2], 0), r"^padding_mask: n_keys must be .* got .* 0$"),
        (lambda: padding_mask([2], 2.5), r"^padding_mask: n_keys must be .* 2.5$"),
        (lambda: causal_mask(2, query_offset=10**30), "^causal_mask: .* between"),
        (lambda: sliding(query_offset=-(10**30)), "^sliding_window_mask: .* between"),
        (lambda: sliding(window=(1, 10**30)), "^sliding_window_mask: .* between"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_former_name_of_query_offset_warns():
    said = r"^causal_mask: offset is called query_offset now, and is gone in 0\.2\.0$"
    with pytest.warns(DeprecationWarning, match=said):
        former = causal_mask(2, 5, offset=3)
    np.testing.assert_array_equal(former, causal_mask(2, 5, query_offset=3))
