"""Every keyword of attention that came after 2017, alone and in pairs."""

import tracemalloc

import array_api_strict
import numpy as np
import pytest

from attnlib import (
    _fast,
    attention_vjp,
    attention_weights,
    blockwise_attention,
    scaled_dot_product_attention,
    sliding_window_mask,
)
from tests.attnlib import oracle
from tests.attnlib.keywords import CASES, N_KEYS, N_QUERIES, draw

each_case = pytest.mark.parametrize("how", CASES.values(), ids=CASES)


def loops(function, arrays, mask=None, enable_gqa=False, **how):
    if mask is not None:
        how["allowed" if mask.dtype == bool else "added"] = mask
    return function(*(a.tolist() for a in arrays), **how)


@each_case
def test_against_loops(rng, how):
    arrays = draw(rng, **how)
    expected = loops(oracle.modern_attention, arrays, **how)
    got = scaled_dot_product_attention(*arrays, **how)
    np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-13)
    weights = attention_weights(*arrays[:2], **how)
    assert weights.shape == (6, N_QUERIES, N_KEYS)
    value = np.repeat(arrays[2], 6 // len(arrays[2]), axis=0)
    np.testing.assert_allclose(weights @ value, expected, rtol=1e-11, atol=1e-13)


@each_case
@pytest.mark.parametrize("path", ["without maxima", "with maxima", "strict"])
def test_blocks(rng, monkeypatch, how, path):
    if path == "with maxima":
        monkeypatch.setattr(_fast, "MAX_SCORE", -1.0)
    arrays = draw(rng, **how)
    expected = loops(oracle.modern_attention, arrays, **how)
    if path == "strict":
        arrays = [array_api_strict.asarray(a) for a in arrays]
    for size in (2, None):
        got = np.asarray(blockwise_attention(*arrays, block_size=size, **how))
        np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-13)


@each_case
@pytest.mark.parametrize("blocks", [False, True])
def test_gradients_against_differences(rng, monkeypatch, how, blocks):
    if blocks:
        monkeypatch.setattr(_fast, "LARGE", 0)
        monkeypatch.setattr(_fast, "MIN_ROWS", 2)
        monkeypatch.setattr(_fast, "SCORES_PER_BLOCK", 1)
    arrays = [a[..., :4, :] for a in draw(rng, **how)]
    if "mask" in how:
        how = {**how, "mask": how["mask"][:4, :4]}
    grad = rng.normal(size=(6, 4, 3))
    found = attention_vjp(*arrays, grad, **how)
    arrays += [how["sinks"]] if "sinks" in how else []
    directions = [rng.normal(size=a.shape) for a in arrays]

    def output(step, i):
        moved = [
            a + step * d * (i == j)
            for j, (a, d) in enumerate(zip(arrays, directions, strict=True))
        ]
        sinks = {"sinks": moved.pop()} if "sinks" in how else {}
        return np.sum(grad * scaled_dot_product_attention(*moved, **how | sinks))

    for i, (gradient, direction) in enumerate(zip(found, directions, strict=True)):
        assert gradient.shape == arrays[i].shape
        slope = (output(1e-5, i) - output(-1e-5, i)) / 2e-5
        assert np.sum(gradient * direction) == pytest.approx(slope, rel=1e-6, abs=1e-8)


def test_a_softcap_bounds_scores_before_the_mask():
    """A forbidden key stays forbidden, and a float mask is not capped."""
    query, key = [[100.0]], [[1.0], [-1.0], [1.0]]
    weights = attention_weights(query, key, softcap=2, mask=[True, True, False])
    expected = np.exp([2, -2]) / np.exp([2, -2]).sum()
    np.testing.assert_allclose(weights[0], [*expected, 0], rtol=1e-12)
    weights = attention_weights(query, key, softcap=2, mask=[0.0, 4, -np.inf])
    np.testing.assert_allclose(weights[0], [0.5, 0.5, 0], rtol=1e-12)


@pytest.mark.parametrize("offset", [[[0], [3]], [[-9], [2]], [[1, 2, 3]], 4])
def test_offsets_for_the_items_of_a_batch(xp, rng, offset):
    """Two items, three heads: each item, head, or all may stand elsewhere."""
    query, key = rng.normal(size=(2, 3, 5, 4)), rng.normal(size=(2, 3, 7, 4))
    value = rng.normal(size=(2, 3, 7, 2))
    arrays = [xp.asarray(a) for a in (query, key, value)]
    offsets = np.broadcast_to(offset, (2, 3))
    how = {"window": (2, None), "is_causal": True}
    for attend in (scaled_dot_product_attention, blockwise_attention):
        given = (
            xp.asarray(np.asarray(offset)) if attend is blockwise_attention else offset
        )
        got = np.asarray(attend(*arrays, query_offset=given, **how))
        for i in np.ndindex(2, 3):
            one = {**how, "query_offset": int(offsets[i])}
            parts = [a[i][None].tolist() for a in (query, key, value)]
            expected = oracle.modern_attention(*parts, **one)
            np.testing.assert_allclose(got[i], expected[0], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_dtypes_stay(rng, dtype):
    arrays = [a.astype(dtype) for a in draw(rng, enable_gqa=True)]
    how = {"softcap": np.float64(3), "window": [2, np.int64(1)], "enable_gqa": True}
    how["query_offset"] = np.int8(1)
    wide = [a.astype(float) for a in arrays]
    expected = scaled_dot_product_attention(*wide, **how)
    for attend in (scaled_dot_product_attention, blockwise_attention):
        got = attend(*arrays, **how)
        assert got.dtype == dtype
        few = 8 * np.finfo(dtype).eps
        np.testing.assert_allclose(got, expected, rtol=few, atol=few)
    assert attention_weights(*arrays[:2], **how).dtype == dtype
    grads = attention_vjp(*arrays, expected.astype(dtype), **how)
    assert [g.dtype for g in grads] == [dtype] * 3


@pytest.mark.parametrize("window", [(2, 1), (None, 1), (2, None), (0, 0), (None, None)])
@pytest.mark.parametrize("query_offset", [0, 3, -2])
def test_sliding_window_mask_against_its_rule(rng, window, query_offset):
    how = {"window": window, "query_offset": query_offset}
    mask = sliding_window_mask(5, 7, **how)
    assert (mask.shape, mask.dtype) == ((5, 7), bool)
    for i, j in np.ndindex(5, 7):
        assert mask[i, j] == oracle.sees(i, j, **how)
    query, key, _ = draw(rng)
    expected = attention_weights(query, key, mask=mask)
    np.testing.assert_array_equal(attention_weights(query, key, **how), expected)
    assert sliding_window_mask(4, window=(1, 1)).shape == (4, 4)


def test_shared_heads_broadcast_over_a_batch(rng):
    query = rng.normal(size=(2, 6, 5, 4))
    key, value = rng.normal(size=(2, 2, 7, 4))
    got = scaled_dot_product_attention(query, key, value, enable_gqa=True)
    for b in range(2):
        one = scaled_dot_product_attention(query[b], key, value, enable_gqa=True)
        np.testing.assert_allclose(got[b], one, rtol=1e-12)
    grads = attention_vjp(query, key, value, got, enable_gqa=True)
    assert [g.shape for g in grads] == [query.shape, key.shape, value.shape]
    parts = [
        attention_vjp(query[b], key, value, got[b], enable_gqa=True) for b in (0, 1)
    ]
    np.testing.assert_allclose(grads[1], parts[0][1] + parts[1][1], rtol=1e-10)


@pytest.mark.parametrize("n_kv_heads", [1, 2, 4])
@pytest.mark.parametrize(
    "function",
    [
        scaled_dot_product_attention,
        blockwise_attention,
        attention_weights,
        attention_vjp,
    ],
)
def test_shared_heads_are_not_copied(function, n_kv_heads):
    """A copy of the keys for each of 32 heads would take 8 to 32 times as much."""
    query = np.ones((32, 1, 64), np.float32)
    key = np.ones((n_kv_heads, 4096, 64), np.float32)
    inputs = {attention_weights: (query, key)}
    inputs[attention_vjp] = (query, key, key, query)
    tracemalloc.start()
    function(*inputs.get(function, (query, key, key)), enable_gqa=True)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 7 * key.nbytes


def test_a_value_of_nan_reaches_all_heads_that_share_it(rng):
    query, key, value = draw(rng, enable_gqa=True)
    value[1, 6] = np.nan
    how = {"enable_gqa": True, "window": (1, 1)}
    for attend in (scaled_dot_product_attention, blockwise_attention):
        got = attend(query, key, value, **how)
        assert np.isnan(got).all(axis=(1, 2)).tolist() == [False] * 3 + [True] * 3


QUERY, KEY, VALUE = np.ones((6, 5, 4)), np.ones((6, 7, 4)), np.ones((6, 7, 3))
TWO = {"key": KEY[:2], "value": VALUE[:2]}


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"is_causal": np.tri(5) > 0}, "is_causal must be True or False, got"),
        ({"is_causal": "no"}, r"is_causal must be True or False, got is_causal 'no'$"),
        ({"enable_gqa": 2}, r"enable_gqa must be True or False, got enable_gqa 2$"),
        ({"softcap": 0}, r"softcap must be a positive finite number, got softcap 0$"),
        ({"softcap": -1.0}, r"softcap must be a positive finite number"),
        ({"softcap": np.inf}, r"softcap must be a positive finite number"),
        ({"softcap": True}, r"softcap must be a positive finite number"),
        ({"window": 3}, r"window must be a pair \(left, right\) .*, got window 3$"),
        ({"window": (1, 2, 3)}, r"window must be a pair"),
        ({"window": (-1, 2)}, r"the left of window must be .* at least 0, got .* -1$"),
        ({"window": (1, -2)}, r"the right of window must be .* at least 0, got .* -2$"),
        ({"window": (1.0, 2)}, r"the left of window must be an integer"),
        ({"query_offset": 0.5}, r"query_offset must be an integer or an array of int"),
        ({"query_offset": True}, r"query_offset must be an integer or an array of int"),
        ({"query_offset": [0.5]}, r"query_offset must be .*, got dtype float64$"),
        ({"query_offset": None}, r"query_offset must be an integer"),
        ({"query_offset": [1, 2]}, r"to the batch axes \(6,\), got query_offset"),
        ({"query_offset": [[1]]}, r"to the batch axes \(6,\), got query_offset \(1, 1"),
        (
            TWO,
            r"batch dimensions must broadcast, got query \(6, 5, 4\) and key.*; with "
            r"enable_gqa=True, several heads",
        ),
        ({"enable_gqa": True, **TWO, "key": KEY[:4]}, r"the same number of heads"),
        ({"enable_gqa": True, "key": KEY[:4], "value": VALUE[:4]}, "a multiple of"),
        ({"enable_gqa": True, "query": QUERY[:3]}, r"a multiple of the heads"),
        ({"enable_gqa": True, "query": QUERY[0]}, r"needs arrays \(..., n_heads, n"),
        ({"enable_gqa": True, "key": KEY[:0], "value": VALUE[:0]}, r"a multiple of"),
    ],
)
def test_bad_input(how, message):
    arrays = {"query": QUERY, "key": KEY, "value": VALUE}
    for attend in (scaled_dot_product_attention, blockwise_attention, attention_vjp):
        extra = {"grad_output": QUERY} if attend is attention_vjp else {}
        with pytest.raises(ValueError, match=f"^{attend.__name__}: .*{message}"):
            attend(**{**arrays, **extra, **how})


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"window": 3}, "window must be a pair"),
        ({"window": (1, 0), "query_offset": 0.5}, "query_offset must be an integer"),
        ({"window": (1, 0), "n_keys": 0}, "n_keys must be an integer of at least 1"),
    ],
)
def test_bad_windows(how, message):
    with pytest.raises(ValueError, match=f"^sliding_window_mask: {message}"):
        sliding_window_mask(3, **how)


@pytest.mark.parametrize(
    ("query", "key", "enable_gqa"),
    [((6, 5, 4), (4, 7, 4), False), ((4, 6, 5, 4), (2, 2, 7, 4), True)],
)
def test_groups_are_named_only_where_they_would_do(query, key, enable_gqa):
    with pytest.raises(ValueError, match=r"got query \(.*\) and key \(.*\)$"):
        attention_weights(np.ones(query), np.ones(key), enable_gqa=enable_gqa)


def test_flags_may_be_written_as_one_and_zero():
    """As ONNX does, and NumPy's own booleans."""
    for flag in (True, 1, np.int64(1), np.True_):
        weights = attention_weights(QUERY, KEY, is_causal=flag)
        np.testing.assert_array_equal(weights[:, 0, 1:], 0)
    for flag in (False, 0, np.False_):
        assert attention_weights(QUERY, KEY, is_causal=flag)[0, 0, -1] > 0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_mask_that_holds_no_number_gives_nan(bad):
    x = np.ones((2, 2))
    assert np.isnan(
        scaled_dot_product_attention(x, x, x, mask=np.full((2, 2), bad))
    ).all()
