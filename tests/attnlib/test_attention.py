import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlib import (
    _fast,
    attention_vjp,
    attention_weights,
    scaled_dot_product_attention,
)
from tests.attnlib import oracle

numbers = st.floats(-10, 10)
queries = hnp.arrays(float, (3, 5), elements=numbers)
keys = hnp.arrays(float, (7, 5), elements=numbers)
values = hnp.arrays(float, (7, 11), elements=numbers)

QUERY = [[1, 0], [0, 1], [1, 1]]
KEY = [[1, 1], [1, 0], [0, 1]]
VALUE = [[10, 0], [0, 10], [5, 5]]


def test_three_words_by_hand(xp):
    """QKᵀ is [[1, 1, 0], [1, 0, 1], [2, 1, 1]], divided by √2."""
    e = math.exp(1 / math.sqrt(2))
    once, twice = 2 * e + 1, e * e + 2 * e
    weights = [
        [e / once, e / once, 1 / once],
        [e / once, 1 / once, e / once],
        [e * e / twice, e / twice, e / twice],
    ]
    output = [
        [5, 5],
        [15 * e / once, (10 + 5 * e) / once],
        [(10 * e * e + 5 * e) / twice, 15 * e / twice],
    ]
    query, key, value = (xp.asarray(a, dtype=xp.float64) for a in (QUERY, KEY, VALUE))
    got = np.asarray(attention_weights(query, key))
    np.testing.assert_allclose(got, weights, rtol=1e-14)
    got = np.asarray(scaled_dot_product_attention(query, key, value))
    np.testing.assert_allclose(got, output, rtol=1e-14)


SCALES = [None, 0, 0.3, -2, 1, np.float64(0.7), np.float32(0.5), 3]


@pytest.mark.parametrize("scale", SCALES)
def test_against_loops(rng, scale):
    query, key = rng.normal(size=(3, 5)), rng.normal(size=(7, 5))
    value = rng.normal(size=(7, 11))
    how = {} if scale is None else {"scale": float(scale)}
    expected = oracle.attention(query, key, value, **how)
    got = scaled_dot_product_attention(query, key, value, scale=scale)
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)
    weights = attention_weights(query, key, scale=scale)
    np.testing.assert_allclose(weights, oracle.weights(query, key, **how), rtol=1e-12)


@given(queries, keys, values, st.permutations(range(7)))
def test_outputs_come_in_the_order_of_queries_whatever_that_of_keys(
    query, key, value, order
):
    plain = scaled_dot_product_attention(query, key, value)
    mixed = scaled_dot_product_attention(query[::-1], key[order], value[order])
    np.testing.assert_allclose(mixed, plain[::-1], atol=1e-12)


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
@pytest.mark.parametrize("how", [{}, {"is_causal": True}, {"mask": np.eye(5, 7) < 1}])
def test_long_inputs_take_the_weights_by_rows(rng, monkeypatch, rows, how):
    monkeypatch.setattr(_fast, "LARGE", 0)
    monkeypatch.setattr(_fast, "SCORES_PER_BLOCK", 2 * rows * 7)
    monkeypatch.setattr(_fast, "MIN_ROWS", 1)
    shapes, blocks = [(2, 5, 3), (2, 7, 3), (2, 7, 11)], []
    step = _fast._attend_without_max
    monkeypatch.setattr(
        _fast, "_attend_without_max", lambda *a: blocks.append(a[0]) or step(*a)
    )
    query, key, value = (rng.normal(size=shape) for shape in shapes)
    got = scaled_dot_product_attention(query, key, value, **how)
    assert max(block.shape[-2] for block in blocks) == rows
    expected = attention_weights(query, key, **how) @ value
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    ("query", "key", "output"),
    [
        ((0, 5), (7, 5), (0, 11)),
        ((2, 0, 5), (2, 7, 5), (2, 0, 11)),
    ],
)
def test_nothing_in_nothing_out(xp, query, key, output):
    value = xp.ones((*key[:-1], 11))
    got = scaled_dot_product_attention(xp.ones(query), xp.ones(key), value)
    assert got.shape == output


def test_float16_does_not_overflow_on_the_way():
    """300² · 64 is beyond float16, and so is the sum of seven values of 60000."""
    query = np.full((3, 64), 300, np.float16)
    key = np.full((7, 64), 300, np.float16)
    value = np.full((7, 2), 60000, np.float16)
    output = scaled_dot_product_attention(query, key, value)
    assert output.dtype == np.float16
    np.testing.assert_array_equal(output, value[:3])


def test_a_nan_in_one_query_stays_in_its_row(rng):
    query = rng.normal(size=(3, 5))
    query[1, 2] = np.nan
    output = scaled_dot_product_attention(
        query, query, np.ones((3, 2)), mask=np.eye(3) > 0
    )
    assert np.isnan(output).all(axis=-1).tolist() == [False, True, False]


def ask(query=(3, 5), key=(7, 5), value=(7, 11), **how):
    return scaled_dot_product_attention(
        np.ones(query), np.ones(key), np.ones(value), **how
    )


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"key": (7, 4)}, r"same d_k, got query \(3, 5\) and key \(7, 4\)$"),
        ({"value": (6, 11)}, r"same n_keys, got key \(7, 5\) and value \(6, 11\)$"),
        ({"query": (5,)}, r"query must have shape .*, got query \(5,\)$"),
        ({"key": (5,)}, r"key must have shape .*, got key \(5,\)$"),
        ({"value": (7,)}, r"value must have shape .*, got value \(7,\)$"),
        ({"query": (3, 0), "key": (7, 0)}, r"d of at least 1, got query \(3, 0\)$"),
        ({"value": (7, 0)}, r"d of at least 1, got value \(7, 0\)$"),
        ({"key": (0, 5), "value": (0, 11)}, r"at least one row, got key \(0, 5\)$"),
        ({"query": (2, 3, 5), "key": (13, 7, 5)}, "batch dimensions must broadcast"),
        ({"query": (2, 3, 5), "value": (13, 7, 11)}, r"batch dimensions .* key \(7"),
    ],
)
def test_shapes_that_do_not_fit(shapes, message):
    with pytest.raises(ValueError, match=f"^scaled_dot_product_attention: .*{message}"):
        ask(**shapes)


@pytest.mark.parametrize(
    ("mask", "hint"),
    [
        ((13, 1, 7), "; mask[..., None, :, :] would fit, the same for every head"),
        ((13, 3, 7), "; mask[..., None, :, :] would fit, the same for every head"),
        ((13, 1, 5), ""),
        ((11, 1, 7), ""),
        ((5, 7), ""),
        ((13, 5, 1, 7), ""),
    ],
)
def test_a_mask_without_an_axis_for_heads(mask, hint):
    """As `padding_mask` gives it for 13 sequences, beside 2 heads for each."""
    query, key = np.ones((13, 2, 3, 5)), np.ones((13, 2, 7, 5))
    with pytest.raises(ValueError, match=r"^attention_weights: mask must") as refused:
        attention_weights(query, key, mask=np.ones(mask, bool))
    assert str(refused.value).endswith(f"(13, 2, 3, 7), got mask {mask}{hint}")
    if hint:
        fitting = np.ones(mask, bool)[..., None, :, :]
        assert attention_weights(query, key, mask=fitting).shape == (13, 2, 3, 7)


@pytest.mark.parametrize("scale", [math.nan, math.inf, "0.5", True, 1j, [0.5]])
def test_scale_must_be_a_finite_number(scale):
    message = r"^scaled_dot_product_attention: scale must be a finite number, got scale"
    with pytest.raises(ValueError, match=message):
        ask(scale=scale)
    with pytest.raises(ValueError, match=r"^attention_weights: scale must be"):
        attention_weights(np.ones((3, 5)), np.ones((7, 5)), scale=scale)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_softcap_beyond_the_dtype_caps_nothing(xp, dtype, rng):
    query, key = (xp.asarray(x.astype(dtype)) for x in rng.normal(size=(2, 5, 4)))
    plain = np.asarray(attention_weights(query, key))
    for softcap in (1e39, 1e300):
        got = np.asarray(attention_weights(query, key, softcap=softcap))
        np.testing.assert_allclose(got, plain, rtol=1e-6)
    tiny = np.asarray(attention_weights(query, key, softcap=1e-60))
    np.testing.assert_allclose(tiny, np.full((5, 5), 0.2), rtol=1e-3)


def test_a_softcap_beyond_the_dtype_has_gradients(rng):
    inputs = rng.normal(size=(4, 5, 4)).astype(np.float32)
    pairs = zip(
        attention_vjp(*inputs), attention_vjp(*inputs, softcap=1e39), strict=True
    )
    for plain, got in pairs:
        np.testing.assert_array_equal(got, plain)


@pytest.mark.parametrize("n", [2, 200])
def test_a_scale_beyond_the_dtype(n):
    """1e39 is no float32, but 1e39 · 1e-38 is 10."""
    query = np.full((n, 1), 1e-19, np.float32)
    key = np.zeros((n, 1), np.float32)
    key[0] = 1e-19
    got = attention_weights(query, key, scale=1e39)
    expected = np.exp(10) / (np.exp(10) + n - 1)
    np.testing.assert_allclose(got[:, 0], expected, rtol=1e-4)
    output = scaled_dot_product_attention(query, key, np.eye(n, dtype="f"), scale=1e39)
    np.testing.assert_allclose(output, got, rtol=1e-5)
    grads = attention_vjp(query, key, np.eye(n, dtype="f"), output, scale=1e39)
    assert all(np.isfinite(grad).all() for grad in grads)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"window": (10**30, 0)}, r"the left of window must be between −1073741824"),
        ({"window": (0, 2**31)}, r"the right of window must be between −1073741824"),
        ({"query_offset": 10**30}, r"query_offset must be between"),
        ({"query_offset": -(10**30), "is_causal": True}, r"query_offset must be betw"),
        ({"query_offset": np.array([2**40])}, r"query_offset must be between"),
        ({"query_offset": np.array([2**63], np.uint64)}, r"query_offset must be betw"),
        ({"query_offset": [10**30]}, r"query_offset"),
    ],
)
def test_positions_that_no_sequence_reaches(how, message):
    x = np.ones((1, 2, 3))
    with pytest.raises(ValueError, match=f"^attention_weights: {message}"):
        attention_weights(x, x, **how)


def test_a_sink_by_hand(xp):
    """Three scores of 0 and a sink of ln 3 share what is there: 1, 1, 1 and 3."""
    zeros, sink = xp.zeros((1, 2)), math.log(3)
    got = attention_weights(zeros, xp.zeros((3, 2)), sinks=sink)
    np.testing.assert_allclose(np.asarray(got), [[1 / 6] * 3], rtol=1e-12)
    mask = xp.asarray([[True, False, False]])
    got = attention_weights(zeros, xp.zeros((3, 2)), sinks=sink, mask=mask)
    np.testing.assert_allclose(np.asarray(got), [[1 / 4, 0, 0]], rtol=1e-12)
    nothing = attention_weights(zeros, xp.zeros((3, 2)), sinks=sink, mask=mask & ~mask)
    assert not np.any(np.asarray(nothing))


@pytest.mark.parametrize("size", [1e3, 1e30])
def test_sinks_are_safe(xp, size):
    """Large ones leave nothing to the keys, and those of −inf take nothing."""
    query, key = xp.ones((3, 2, 4)), xp.ones((3, 5, 4))
    sinks = xp.asarray([size, -size, -math.inf])
    got = np.asarray(attention_weights(query, key, sinks=sinks))
    np.testing.assert_allclose(got.sum(axis=-1), [[0] * 2, [1] * 2, [1] * 2])
    scores = attention_weights(size * query, size * key, sinks=0.0)
    np.testing.assert_allclose(np.asarray(scores), np.full((3, 2, 5), 0.2))


def test_sinks_keep_the_dtype(rng):
    query, key = rng.normal(size=(2, 2, 5, 4)).astype(np.float32)
    got = attention_weights(query, key, sinks=[0.5, 1.5])
    assert got.dtype == np.float32
    assert attention_weights(query, key, sinks=3).dtype == np.float32


@pytest.mark.parametrize("sinks", [np.ones(3), np.ones((1, 2)), [True, False], "a"])
def test_sinks_must_fit_the_heads(sinks):
    x = np.ones((2, 5, 4))
    with pytest.raises(ValueError, match=r"^attention_weights: sinks must"):
        attention_weights(x, x, sinks=sinks)


@pytest.mark.parametrize("n_kv_heads", [2, 6])
def test_an_empty_batch_of_shared_heads(n_kv_heads):
    query, key = np.ones((0, 6, 5, 3)), np.ones((0, n_kv_heads, 7, 3))
    got = scaled_dot_product_attention(query, key, key, enable_gqa=True)
    assert got.shape == (0, 6, 5, 3)
