import numpy as np
import pytest

from attnlib import KVCache, scaled_dot_product_attention


def test_appending_row_by_row_keeps_the_order(xp, rng):
    key, value = rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 5, 4))
    cache = KVCache()
    for part in (slice(0, 2), slice(2, 3), slice(3, 5)):
        keys, values = cache.append(*(xp.asarray(a[:, part]) for a in (key, value)))
        np.testing.assert_array_equal(np.asarray(keys), key[:, : part.stop])
        np.testing.assert_array_equal(np.asarray(values), value[:, : part.stop])
        assert len(cache) == part.stop
    assert cache.key is keys
    assert cache.value is values


def test_earlier_arrays_stay_as_they_were(rng):
    first = rng.normal(size=(1, 3))
    copy, cache = first.copy(), KVCache()
    first.flags.writeable = False
    keys, values = cache.append(first, first)
    more, _ = cache.append(first, first)
    more[:] = 7
    np.testing.assert_array_equal(first, copy)
    np.testing.assert_array_equal(keys, copy)
    np.testing.assert_array_equal(values, copy)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_bytes_are_those_of_the_arrays(dtype):
    cache = KVCache()
    assert (len(cache), cache.n_bytes) == (0, 0)
    assert repr(cache) == "KVCache(n=0, n_bytes=0)"
    keys, values = cache.append(
        np.ones((2, 3, 5, 4), dtype), np.ones((2, 3, 5, 7), dtype)
    )
    assert keys.dtype == values.dtype == dtype
    assert cache.n_bytes == keys.nbytes + values.nbytes
    assert len(cache) == 5


def test_an_offset_makes_up_for_the_cache(rng):
    """With a cache, a causal query stands after the keys that were there before."""
    query, key, value = rng.normal(size=(3, 6, 4))
    whole = scaled_dot_product_attention(query, key, value, is_causal=True)
    cache = KVCache()
    for i in range(6):
        one = slice(i, i + 1)
        before = len(cache)
        keys, values = cache.append(key[one], value[one])
        got = scaled_dot_product_attention(
            query[one], keys, values, is_causal=True, query_offset=before
        )
        np.testing.assert_allclose(got, whole[one], rtol=1e-12)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ((2, 1, 4), (2, 1, 4), r"fit those in the cache, got cached_key \(2, 5, 3\)"),
        ((2, 1, 3), (2, 1, 5), r"fit those in the cache, got cached_value \(2, 5, 4"),
        ((3, 1, 3), (3, 1, 4), r"fit those in the cache, got cached_key .* new \(3,"),
        ((1, 3), (1, 4), r"fit those in the cache"),
        (
            (2, 1, 3),
            (2, 2, 4),
            r"same batch dimensions and n_keys, got key \(2, 1, 3\)",
        ),
        ((3,), (4,), r"key must have shape"),
    ],
)
def test_what_does_not_fit_is_refused(key, value, message):
    cache = KVCache()
    cache.append(np.ones((2, 5, 3)), np.ones((2, 5, 4)))
    with pytest.raises(ValueError, match=f"^KVCache.append: .*{message}"):
        cache.append(np.ones(key), np.ones(value))
    assert len(cache) == 5


def test_bytes_are_taken_up_even_by_a_broadcast_view():
    """The cache holds arrays of its own, so that nobody else can change them."""
    cache, one = KVCache(), np.ones((1, 1), np.float32)
    view = np.broadcast_to(one, (1000, 1000))
    keys, values = cache.append(view, view)
    assert cache.n_bytes == 8_000_000
    assert keys.strides == values.strides == (4000, 4)
    mine = np.zeros((2, 3))
    keys, _ = (cache := KVCache()).append(mine, mine)
    mine[:] = 7
    assert not cache.key.any()
