"""The guard of the fast path: it may not change a number, only the time it takes."""

from dataclasses import replace

import array_api_strict
import numpy as np
import pytest

from attnlib import _fast, attention_weights, blockwise_attention, causal_mask
from attnlib import scaled_dot_product_attention as attention
from attnlib._fast import MIN_ROWS
from attnlib._options import Options
from attnlib.masks import visible_keys
from attnlib.scores import scaled_scores

INF = np.inf
PLAIN = Options(scale=1.0)


def wide(query, key, value, *, allowed=True, scale=None):
    """Attend in float64, whatever the dtype, each row less its maximum."""
    query, key, value = (np.asarray(a, float) for a in (query, key, value))
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = np.where(allowed, query @ np.swapaxes(key, -1, -2) * scale, -INF)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True) @ value


def draw(rng, magnitude, dtype=np.float32, spread=1.0):
    """Draw inputs whose largest score is `magnitude`; spread shifts it to the query."""
    query, key = rng.normal(size=(11, 5)), rng.normal(size=(7, 5))
    largest = np.abs(query @ key.T).max() / 5**0.5
    query, key = query * magnitude / largest * spread, key / spread
    return [a.astype(dtype) for a in (query, key, rng.normal(size=(7, 3)))]


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("magnitude", [1, 10, 20, 29, 31, 60, 88, 89, 120, 300, 1000])
def test_scores_of_every_size(rng, dtype, magnitude):
    """exp overflows at 88.8 in float32; float16 is computed in float32."""
    arrays = draw(rng, magnitude, dtype)
    exact = wide(*arrays)
    eps = float(np.finfo(dtype).eps)
    error = 20 * max(eps, magnitude * float(np.finfo(np.float32).eps))
    for size in (2, None):
        got = blockwise_attention(*arrays, block_size=size)
        assert got.dtype == dtype
        np.testing.assert_allclose(got, exact, rtol=error, atol=error)


@pytest.mark.parametrize("magnitude", [100, 1000])
@pytest.mark.parametrize("spread", [1e-6, 1e-3, 1e3, 1e6])
def test_a_short_query_and_long_keys(rng, magnitude, spread):
    """The bound is the product of the two lengths: not their sum, nor one of them."""
    arrays = draw(rng, magnitude, np.float64, spread)
    expected = wide(*arrays)
    np.testing.assert_allclose(blockwise_attention(*arrays), expected, rtol=1e-9)


def is_fast(*inputs, **options):
    arrays = [np.asarray(x) for x in inputs]
    return _fast.has_small_scores(*arrays, replace(PLAIN, **options))


ONE = np.ones((2, 3))


@pytest.mark.parametrize(
    ("inputs", "options", "expected"),
    [
        ((ONE, ONE, ONE), {}, True),
        ((ONE * 3, ONE * 3, ONE), {}, True),  # 27
        ((ONE * 3, ONE * 4, ONE), {}, False),  # 36
        ((ONE * 3, ONE * 4, ONE), {"scale": 0.5}, True),
        ((ONE * 3, ONE * 3, ONE), {"scale": -2.0}, False),
        ((ONE * 3, ONE * 4, ONE), {"softcap": 30.0}, False),
        ((ONE, ONE, ONE), {"sinks": ONE}, False),
        ((ONE * 1e9, ONE * 1e9, ONE), {"softcap": 20.0}, False),
        ((ONE * 1e30, ONE * 1e-30, ONE), {}, False),
        ((ONE * 1e10, ONE * 1e-20, ONE), {"scale": 1e8}, False),
        ((ONE * 1e-10, ONE * 1e20, ONE), {"scale": 1e-10}, True),
        ((ONE, ONE, ONE * 1e15), {}, True),
        ((ONE, ONE, ONE * 1e16), {}, False),
        ((ONE, ONE, ONE * 1e-15), {}, True),
        ((ONE, ONE, ONE * 1e-16), {}, False),
        ((ONE, ONE, [[0.0, 1e-16]] * 2), {}, False),
        ((ONE, ONE, ONE * 0), {}, True),
        ((ONE, ONE, ONE * INF), {}, False),
        ((ONE * np.nan, ONE, ONE), {}, False),
        ((ONE, ONE * INF, ONE), {}, False),
        ((ONE, ONE, ONE * np.nan), {}, False),
        ((ONE, ONE, ONE), {"mask": np.ones((2, 2), bool)}, True),
        ((ONE, ONE, ONE), {"mask": np.ones((2, 2))}, False),
    ],
)
def test_when_maxima_are_skipped(inputs, options, expected):
    assert is_fast(*inputs, **options) is expected


@pytest.mark.parametrize("attend", [attention, blockwise_attention])
def test_tiny_values_are_kept(attend):
    """In float32, exp(−30) · 1e−35 would be 0."""
    f = np.float32
    assert attend(f([[-30]]), f([[1]]), f([[1e-35]])) == f(1e-35)
    query, key = f([[-5.4, 0]]), f([[5.4, 0], [5.3, 0]])
    value = f([[1e-33], [2e-33]])
    got = attend(query, key, value, scale=1)
    np.testing.assert_allclose(got, wide(query, key, value, scale=1), rtol=1e-5)


@pytest.mark.parametrize("attend", [attention, blockwise_attention])
def test_a_scale_that_overflows_the_query_but_not_the_score(attend):
    f = np.float32
    query, key, value = f([[1e30]]), f([[1e-38], [0]]), f([[7], [9]])
    got = attend(query, key, value, scale=1e9)
    expected = attention_weights(query, key, scale=1e9) @ value
    np.testing.assert_allclose(got, expected, rtol=1e-6)
    np.testing.assert_allclose(got, [[7.0001]], rtol=1e-4)


@pytest.mark.parametrize("attend", [attention, blockwise_attention])
@pytest.mark.parametrize("n_keys", [2, 9000])
def test_very_negative_finite_masks_keep_their_order(attend, n_keys):
    """As in PyTorch: −2e38 is more than −3e38 by far, and takes all the weight."""
    mask = np.full((1, n_keys), -3e38, np.float32)
    mask[0, 1] = -2e38
    value = np.full((n_keys, 1), 7, np.float32)
    value[1] = 9
    one = np.ones((1, 1), np.float32)
    key = np.ones((n_keys, 1), np.float32)
    assert attend(one, key, value, mask=mask) == 9


def test_finite_masks_stay_finite_in_a_narrower_dtype():
    one = np.ones((1, 1), np.float32)
    key, value = np.ones((2, 1), np.float32), np.float32([[7], [9]])
    mask = np.array([[-1e300, -1e300]])  # float64: beyond float32
    assert attention(one, key, value, mask=mask) == 8
    assert attention(one, key, value, mask=[[1e300, 0]]) == 7
    assert np.isnan(attention(one, key, value, mask=np.array([[INF, 0]])))


def test_scores_that_overflow_to_minus_infinity_give_zeros():
    huge = np.full((1, 1), 1e200)
    with np.errstate(over="ignore"):
        assert attention(huge, -huge, [[7.0]]) == 0
        assert attention_weights(huge, -huge) == 0
        assert attention(huge, np.array([[-1e200], [0]]), [[7.0], [9.0]]) == 9
        assert np.isnan(attention(huge, huge, [[7.0]]))


@pytest.mark.parametrize("scale", [10**400, -(10**400)])
def test_an_integer_beyond_all_floats_is_no_scale(scale):
    with pytest.raises(ValueError, match=r"scale must be .* got a larger"):
        attention(ONE, ONE, ONE, scale=scale)


@pytest.mark.parametrize(
    ("query", "key", "large"),
    [
        ((64, 2), (128, 2), False),
        ((65, 2), (128, 2), True),
        ((4, 33, 2), (64, 2), True),
    ],
)
def test_what_is_large(query, key, large):
    assert _fast.is_large(np.ones(query), np.ones(key)) is large
    assert _fast.is_large(np.ones(key), np.ones(query)) is large


@pytest.mark.parametrize(
    ("query", "key", "window", "size"),
    [
        ((300, 2), (1024, 2), (None, None), 2048),
        ((4, 300, 2), (1024, 2), (None, None), 512),  # 4 · 1024 · 512 = 2²¹ scores
        ((300, 2), (4, 1024, 2), (None, None), 512),
        ((2, 4, 300, 2), (1, 1, 1024, 2), (None, None), 256),
        ((4, 300, 2), (1024, 2), (9, 200), 210),
        ((4, 300, 2), (1024, 2), (None, 200), 512),
        ((4, 300, 2), (1024, 2), (1, 2), 128),
        ((4, 300, 2), (10**6, 2), (None, None), 128),
    ],
)
def test_how_many_queries_make_a_block(query, key, window, size):
    options = replace(PLAIN, window=window)
    arrays = [np.broadcast_to(0.0, shape) for shape in (query, key)]
    assert _fast.default_block_size(*arrays, options) == size


def test_a_block_scores_the_keys_in_its_window_only(rng):
    """Keys elsewhere are so large that NumPy would warn of an overflow."""
    key = np.full((64, 2), 1e200)
    key[20:44] = 0
    query = np.full((8, 2), 1e200)
    window, value = (4, 8), rng.normal(size=(64, 3))
    got = blockwise_attention(
        query, key, value, window=window, query_offset=28, block_size=3
    )
    allowed = causal_mask(8, 64, query_offset=36) & ~causal_mask(8, 64, query_offset=23)
    expected = wide(query * 0, key, value, allowed=allowed)
    np.testing.assert_allclose(got, expected, rtol=1e-12)


@pytest.mark.parametrize("window", [(None, 0), (40, 0), (3, 5), (0, 9)])
def test_positions_are_compared_only_where_a_window_ends(rng, monkeypatch, window):
    widths = []

    def seen(like, n_queries, n_keys, *where):
        widths.append(n_keys)
        return visible_keys(like, n_queries, n_keys, *where)

    monkeypatch.setattr(_fast, "visible_keys", seen)
    arrays = rng.normal(size=(3, 160, 2))
    blockwise_attention(*arrays, window=window, block_size=16)
    ends = sum(bound is not None for bound in window)
    assert 10 * ends - ends <= len(widths) <= 10 * ends
    assert max(widths) <= 15 * ends


@pytest.mark.parametrize(
    ("window", "share"), [((None, 0), 17 / 32), ((100, 0), 228 / 2048), ((9, 9), 0.073)]
)
@pytest.mark.parametrize("offset", [0, np.zeros(3, int)])
def test_keys_outside_a_window_are_not_scored(window, share, offset):
    """Above the diagonal half of the pairs are left out; with both ends, almost all."""
    query = np.broadcast_to(0.0, (3, 2048, 2))
    options = replace(PLAIN, window=window, query_offset=offset)
    found = _fast.blocks(query, query, options, MIN_ROWS)
    pairs = sum((b - a) * (d - c) for a, b, c, d in map(ends, found))
    assert pairs / 2048**2 <= share


def ends(block):
    rows, keys, _ = block
    return rows.start, rows.stop, keys.start, keys.stop


def test_with_other_arrays_too_a_window_leaves_keys_out(monkeypatch):
    """The scores of 512 queries by 512 keys are never made."""
    shapes = []

    def scored(query, key, *how):
        shapes.append((query.shape[-2], key.shape[-2]))
        return scaled_scores(query, key, *how)

    monkeypatch.setattr(_fast, "scaled_scores", scored)
    x = array_api_strict.ones((2, 512, 3))
    blockwise_attention(x, x, x, block_size=32, window=(31, 0), query_offset=3)
    assert len(shapes) == 16
    assert max(n_keys for _, n_keys in shapes) == 63
