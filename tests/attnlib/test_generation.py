"""Generating with and without a cache."""

import numpy as np
import pytest

from attnlib import (
    Decoder,
    Embedding,
    KVCache,
    generate,
    generation,
    scaled_dot_product_attention,
    token_probabilities,
)


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
        ((2, 1, 3), (2, 2, 4), r"same batch dimensions and n_keys, got key \(2, 1"),
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


PROMPT = np.array([[3, 1, 4], [1, 5, 9]])


@pytest.fixture
def decoder():
    rng = np.random.default_rng(5)
    return Decoder.random(2, 20, 12, 3, 24, n_kv_heads=1, rng=rng)


@pytest.mark.slow
def test_greedy_equals_asking_again_from_the_start(decoder):
    """Two hundred tokens with caches, and every one of them without."""
    ids = generate(decoder, PROMPT, 200, temperature=0)
    assert ids.shape == (2, 203)
    np.testing.assert_array_equal(ids[:, :3], PROMPT)
    logits = decoder(ids[:, :-1])
    np.testing.assert_array_equal(logits[:, 2:].argmax(axis=-1), ids[:, 3:])
    assert len(np.unique(ids)) > 3


@pytest.mark.slow
def test_one_sequence_and_nothing_new(decoder):
    assert generate(decoder, [3, 1], 2, temperature=0).shape == (4,)
    assert generate(decoder, PROMPT, 0).tolist() == PROMPT.tolist()


@pytest.mark.slow
def test_other_libraries(xp, decoder):
    got = generate(decoder, xp.asarray(PROMPT), 4, temperature=0)
    assert type(got) is type(xp.asarray(PROMPT))
    expected = generate(decoder, PROMPT, 4, temperature=0)
    np.testing.assert_array_equal(np.asarray(got), expected)


@pytest.mark.slow
def test_a_seed_decides(decoder):
    def write(seed):
        return generate(decoder, PROMPT, 20, rng=np.random.default_rng(seed)).tolist()

    assert write(1) == write(1)
    assert write(1) != write(2)
    assert (
        generate(decoder, PROMPT, 20).tolist() != generate(decoder, PROMPT, 20).tolist()
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "choice", [{}, {"temperature": 0.5}, {"top_k": 3}, {"top_p": 0.7}]
)
def test_frequencies_follow_the_probabilities(decoder, choice):
    """Pearson's test of fit, at about one in a million; the seed is fixed."""
    n = 10_000
    sharper = Decoder(decoder.embedding, decoder.layers, gain=decoder.gain * 3)
    expected = token_probabilities(sharper([3, 1, 4])[-1], **choice)
    prompts = np.tile([3, 1, 4], (n, 1))
    found = generate(sharper, prompts, 1, rng=np.random.default_rng(7), **choice)
    counts = np.bincount(found[:, -1], minlength=20)
    assert not counts[expected == 0].any()
    likely = expected * n > 5
    error = (counts - n * expected)[likely] ** 2 / (n * expected[likely])
    freedom = likely.sum() - 1
    assert error.sum() < freedom + 5 * np.sqrt(2 * freedom) + 12


@pytest.mark.slow
def test_temperature():
    logits = np.array([0.0, np.log(2), np.log(4)])
    np.testing.assert_allclose(token_probabilities(logits), [1 / 7, 2 / 7, 4 / 7])
    got = token_probabilities(logits, 0.5)
    np.testing.assert_allclose(got, [1 / 21, 4 / 21, 16 / 21])
    assert token_probabilities(logits, 0).tolist() == [0, 0, 1]
    assert token_probabilities(logits, 1e-308).tolist() == [0, 0, 1]
    assert token_probabilities(np.array([1.0, 3, 3]), 0).tolist() == [0, 1, 0]


P = np.array([0.1, 0.4, 0.3, 0.2])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        ({"top_k": 1}, [1]),
        ({"top_k": 3}, [1, 2, 3]),
        ({"top_k": 9}, [0, 1, 2, 3]),
        ({"top_p": 0.01}, [1]),
        ({"top_p": 0.39}, [1]),
        ({"top_p": 0.41}, [1, 2]),
        ({"top_p": 0.71}, [1, 2, 3]),
        ({"top_p": 0.95}, [0, 1, 2, 3]),
        ({"top_p": 1}, [0, 1, 2, 3]),
        ({"top_k": 3, "top_p": 0.5}, [1, 2]),  # 0.4/0.9 is less than a half
    ],
)
def test_top_k_and_top_p_keep_the_likely(choice, kept):
    expected = np.zeros(4)
    expected[kept] = P[kept] / P[kept].sum()
    logits = np.log(np.stack([P, P[::-1]]))
    got = token_probabilities(logits, **choice)
    np.testing.assert_allclose(got, [expected, expected[::-1]], atol=1e-15)


@pytest.mark.slow
def test_of_equally_likely_tokens_the_first_are_kept():
    got = token_probabilities(np.zeros(5), top_k=2)
    np.testing.assert_allclose(got, [0.5, 0.5, 0, 0, 0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"temperature": -0.1}, "temperature must not be negative, got temperature"),
        ({"temperature": np.nan}, r"temperature must be a finite number"),
        ({"top_k": 0}, r"top_k must be an integer of at least 1, got top_k 0"),
        ({"top_k": 1.5}, r"top_k must be an integer"),
        ({"top_p": 0}, r"top_p must be a positive finite number, got top_p 0"),
        ({"top_p": 1.01}, r"top_p must be at most 1, got top_p 1.01"),
        ({"rng": 3}, r"rng must be a numpy.random.Generator"),
        ({"n_new": -1}, r"n_new must be an integer of at least 0"),
        ({"ids": [[20]]}, r"ids must be integers from 0 to 19, got ids 20"),
        ({"ids": [[]]}, r"ids must have shape"),
        ({"decoder": 3}, r"decoder must be a Decoder, got decoder 3"),
    ],
)
def test_errors(decoder, how, message):
    arguments = {"decoder": decoder, "ids": PROMPT, "n_new": 2, **how}
    with pytest.raises(ValueError, match=f"^(generate|Decoder): {message}"):
        generate(**arguments)


@pytest.mark.slow
def test_a_table_of_positions_bounds_the_length(decoder):
    bounded = Decoder(
        Embedding(decoder.embedding.table), decoder.layers, positions=np.ones((5, 12))
    )
    assert generate(bounded, PROMPT, 3, temperature=0).shape == (2, 6)
    with pytest.raises(ValueError, match="positions has 5 rows, got n_tokens 6"):
        generate(bounded, PROMPT, 4, temperature=0)


@pytest.mark.slow
def test_top_p_keeps_the_fewest_that_reach_it():
    """9 + 8 + 6 + 6 + 4 + 3 of 40 are 0.9, though a sum of floats falls short of it."""
    counts = np.array([8, 2, 6, 1, 3, 4, 1, 6, 9])
    kept = token_probabilities(np.log(counts), top_p=0.9) > 0
    assert kept.tolist() == [True, False, True, False, True, True, False, True, True]
    draws = np.random.default_rng(0).integers(1, 10, size=(5000, 9))
    for counts in draws:
        top_p = np.sort(counts)[::-1][:6].sum() / counts.sum()
        kept = token_probabilities(np.log(counts), top_p=top_p) > 0
        assert kept.sum() == 6


@pytest.mark.slow
def test_the_least_top_p_keeps_one_token():
    kept = token_probabilities(np.log([1.0, 2.0, 1.0]), top_p=1e-300)
    assert kept.tolist() == [0, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.0,), r"logits must have shape"),
        (([],), r"logits must have shape"),
        (([1.0], -1.0), r"temperature must not be negative"),
        (([1.0], 1.0, 0), r"top_k must be an integer of at least 1"),
        (([1.0], 1.0, None, 1.5), r"top_p must be at most 1"),
    ],
)
def test_probabilities_refuse(arguments, message):
    with pytest.raises(ValueError, match=f"^token_probabilities: {message}"):
        token_probabilities(*arguments)


@pytest.mark.slow
def test_a_token_of_probability_0_is_never_drawn():
    class Least:
        def random(self, shape):
            return np.zeros(shape)

    probabilities = np.array([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
    assert generation.sample(probabilities, Least()).tolist() == [1, 0]
