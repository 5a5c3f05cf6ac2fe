import tracemalloc
from functools import partial

import numpy as np
import pytest

from attnlib import (
    _fast,
    attention_weights,
    blockwise_attention,
    scaled_dot_product_attention,
)
from attnlib._fast import MIN_ROWS

# One query, a remainder of two, all at once, and what is chosen unless asked.
each_size = pytest.mark.parametrize("block_size", [1, 3, 11, None])
SHAPES = [(2, 11, 5), (2, 7, 5), (2, 7, 3)]


@pytest.fixture(params=["without maxima", "with maxima"])
def both_paths(request, monkeypatch):
    """Small scores need no maxima subtracted; all must hold with them as well."""
    if request.param == "with maxima":
        monkeypatch.setattr(_fast, "MAX_SCORE", -1.0)


@pytest.fixture
def qkv(rng):
    """Eleven queries and seven keys: most block sizes divide neither."""
    return [rng.normal(size=shape) for shape in SHAPES]


def at_once(query, key, value, **how):
    return attention_weights(query, key, **how) @ value


def same(arrays, block_size, **how):
    got = blockwise_attention(*arrays, block_size=block_size, **how)
    expected = at_once(*arrays, **how)
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-13)


@each_size
def test_more_keys_than_queries_see_the_past_only(qkv, block_size):
    query, key, _ = qkv
    same((key, query, np.tile(query, 2)), block_size, is_causal=True)


@pytest.mark.usefixtures("both_paths")
@each_size
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("shape", [(), (1,), (7,), (11, 1), (11, 7), (2, 1, 7)])
def test_masks_of_every_shape(qkv, rng, block_size, is_causal, shape):
    allowed = np.asarray(rng.random(size=shape) < 0.6)
    added = np.where(allowed, rng.normal(size=shape), -np.inf)
    same(qkv, block_size, mask=allowed, is_causal=is_causal)
    same(qkv, block_size, mask=added, is_causal=is_causal)


@pytest.mark.usefixtures("both_paths")
@each_size
@pytest.mark.parametrize("mask", [False, np.full((11, 7), -np.inf)])
def test_who_may_attend_to_nothing_gets_zeros(qkv, block_size, mask):
    assert not blockwise_attention(*qkv, mask=mask, block_size=block_size).any()


@pytest.mark.usefixtures("both_paths")
@each_size
def test_some_rows_that_may_attend_to_nothing(qkv, block_size):
    mask = np.arange(11)[:, None] % 3 > np.zeros(7)
    same(qkv, block_size, mask=mask)
    output = blockwise_attention(*qkv, mask=mask, block_size=block_size)
    assert output.any(axis=-1)[0].tolist() == [i % 3 > 0 for i in range(11)]


@pytest.mark.usefixtures("both_paths")
@each_size
def test_batch_dimensions_broadcast(rng, block_size):
    shapes = [(13, 1, 11, 5), (2, 7, 5), (3, 1, 1, 7, 3)]
    arrays = [rng.normal(size=shape) for shape in shapes]
    assert blockwise_attention(*arrays).shape == (3, 13, 2, 11, 3)
    same(arrays, block_size, is_causal=True)


@pytest.mark.parametrize("shapes", [(0, 11), (2, 0)])
@pytest.mark.parametrize("is_causal", [False, True])
def test_nothing_in_nothing_out(xp, shapes, is_causal):
    batch, n_queries = shapes
    arrays = [xp.ones((batch, n, 5)) for n in (n_queries, 7, 7)]
    got = blockwise_attention(*arrays, is_causal=is_causal)
    assert got.shape == (batch, n_queries, 5)


def test_the_largest_values_do_not_overflow(qkv):
    query, key, _ = (a.astype(np.float32) for a in qkv)
    value = np.full((2, 7, 3), np.finfo(np.float32).max / 2)
    np.testing.assert_allclose(
        blockwise_attention(query, key, value),
        np.tile(value[:, :1], (1, 11, 1)),
        rtol=1e-6,
    )


@pytest.mark.usefixtures("both_paths")
@each_size
@pytest.mark.parametrize("i", [0, 1])
def test_nan_spreads_as_far_as_without_blocks(qkv, block_size, i):
    """In a query: its own row. In a key: the queries that may attend to it."""
    qkv[i][1, 4] = np.nan
    same(qkv, block_size, is_causal=True)


@pytest.mark.usefixtures("both_paths")
@each_size
def test_a_value_of_nan_reaches_even_who_may_not_attend_to_it(qkv, block_size):
    qkv[2][1, 6] = np.nan
    same(qkv, block_size, is_causal=True)
    got = blockwise_attention(*qkv, is_causal=True, block_size=block_size)
    assert np.isnan(got).any(axis=(1, 2)).tolist() == [False, True]
    assert np.isnan(got[1]).all()


def test_a_key_after_the_block_is_not_even_scored(qkv):
    """A score of 1e200 · 1e200 would overflow, and NumPy would warn."""
    query, key, value = qkv
    query[..., :2, :], key[..., 2:, :] = 1e200, 1e200
    query[..., 2:, :] = 0
    got = blockwise_attention(query, key, value, is_causal=True, block_size=2)
    assert np.isfinite(got).all()


def test_scores_whose_difference_overflows(qkv):
    """NumPy would warn, and a warning is an error here."""
    mask = np.where(np.arange(7) % 2 > 0, 1.7e308, -1.7e308)
    got = blockwise_attention(*qkv, mask=mask, block_size=3)
    expected = np.broadcast_to(qkv[2][:, None, 1::2].mean(axis=2), got.shape)
    np.testing.assert_allclose(got, expected, rtol=1e-12)


@pytest.mark.parametrize("block_size", [MIN_ROWS, 1024])
def test_memory_is_one_block_of_scores(block_size):
    query = np.ones((4096, 2), np.float32)
    a_block = 4 * block_size * len(query)
    assert peak(blockwise_attention, query, block_size=block_size) < 1.2 * a_block


def test_a_window_needs_memory_for_its_own_keys_only():
    """A block of 128 queries sees 255 keys of 16,384."""
    query = np.ones((16_384, 2), np.float32)
    most = peak(blockwise_attention, query, window=(127, 0))
    assert most - 2 * query.nbytes < 4 * (4 * 128 * 255)


@pytest.mark.parametrize("attend", [blockwise_attention, scaled_dot_product_attention])
def test_memory_beside_all_the_scores(attend):
    """The posts' way keeps scores, scaled scores and their exponentials at once."""
    query = np.ones((8192, 2), np.float32)
    recipe = 3 * 4 * len(query) ** 2
    assert peak(attend, query) < recipe / 20


def peak(function, x, **how):
    tracemalloc.start()
    function(x, x, x, **how)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("block_size", [0, -1, 2.0, True, "2"])
def test_block_size_must_be_a_count(qkv, block_size):
    message = r"^blockwise_attention: block_size must be an integer of at least 1, got"
    with pytest.raises(ValueError, match=message):
        blockwise_attention(*qkv, block_size=block_size)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint64])
@pytest.mark.parametrize("how", [{"is_causal": True}, {"window": (120, 0)}])
def test_offsets_of_narrow_integers(xp, dtype, how):
    """Counting positions in eight bits would start again after 127 or 255."""
    query, key = xp.zeros((1, 300, 1)), xp.zeros((1, 400, 1))
    value = xp.reshape(xp.arange(400.0), (1, 400, 1))
    offset = xp.asarray(np.array([100], dtype))
    expected = scaled_dot_product_attention(query, key, value, query_offset=100, **how)
    by_eights = partial(blockwise_attention, block_size=8)
    for attend in (by_eights, scaled_dot_product_attention):
        got = attend(query, key, value, query_offset=offset, **how)
        np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-12)
    last = np.asarray(expected)[0, -1, 0]
    assert last == pytest.approx(199.5 if "is_causal" in how else 339)


@pytest.mark.filterwarnings("ignore:invalid value")  # 0 · inf
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", [0, 150, 299])
def test_values_outside_a_block_that_are_not_finite(xp, bad, where, rng):
    """0 · inf is NaN: such a value reaches queries that may not attend to it."""
    query, key, value = rng.normal(size=(3, 300, 2))
    value[where, 1] = bad
    query, key, value = map(xp.asarray, (query, key, value))
    for how in ({"is_causal": True}, {"window": (20, 10)}, {}):
        expected = attention_weights(query, key, **how) @ value
        got = blockwise_attention(query, key, value, block_size=16, **how)
        np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-12)


@pytest.mark.parametrize("shape", [(9, 1), (1, 9), (1, 1)])
def test_in_blocks_an_axis_of_one_in_a_mask_broadcasts(rng, shape):
    """With a window, a block has some of the keys only."""
    query, key, value = rng.normal(size=(3, 9, 4))
    how = {"window": (2, 1), "block_size": 2}
    mask = rng.normal(size=shape) > -0.5
    whole = np.broadcast_to(mask, (9, 9))
    expected = blockwise_attention(query, key, value, mask=whole, **how)
    got = blockwise_attention(query, key, value, mask=mask, **how)
    np.testing.assert_allclose(got, expected, rtol=1e-12)
