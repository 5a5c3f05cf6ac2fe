import numpy as np
import pytest

from attnlib import Decoder, Embedding, generate, sampling, token_probabilities

pytestmark = pytest.mark.slow

PROMPT = np.array([[3, 1, 4], [1, 5, 9]])


@pytest.fixture
def decoder():
    rng = np.random.default_rng(5)
    return Decoder.random(2, 20, 12, 3, 24, n_kv_heads=1, rng=rng)


def test_greedy_equals_asking_again_from_the_start(decoder):
    """Two hundred tokens with caches, and every one of them without."""
    ids = generate(decoder, PROMPT, 200, temperature=0)
    assert ids.shape == (2, 203)
    np.testing.assert_array_equal(ids[:, :3], PROMPT)
    logits = decoder(ids[:, :-1])
    np.testing.assert_array_equal(logits[:, 2:].argmax(axis=-1), ids[:, 3:])
    assert len(np.unique(ids)) > 3


def test_one_sequence_and_nothing_new(decoder):
    assert generate(decoder, [3, 1], 2, temperature=0).shape == (4,)
    assert generate(decoder, PROMPT, 0).tolist() == PROMPT.tolist()


def test_other_libraries(xp, decoder):
    got = generate(decoder, xp.asarray(PROMPT), 4, temperature=0)
    assert type(got) is type(xp.asarray(PROMPT))
    expected = generate(decoder, PROMPT, 4, temperature=0)
    np.testing.assert_array_equal(np.asarray(got), expected)


def test_a_seed_decides(decoder):
    def write(seed):
        return generate(decoder, PROMPT, 20, rng=np.random.default_rng(seed)).tolist()

    assert write(1) == write(1)
    assert write(1) != write(2)
    assert (
        generate(decoder, PROMPT, 20).tolist() != generate(decoder, PROMPT, 20).tolist()
    )


@pytest.mark.parametrize(
    "choice", [{}, {"temperature": 0.5}, {"top_k": 3}, {"top_p": 0.7}]
)
def test_frequencies_follow_the_probabilities(decoder, choice):
    """Pearson's test of fit, at about one in a million; the seed is fixed."""
    n = 40_000
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


def test_temperature():
    logits = np.array([0.0, np.log(2), np.log(4)])
    np.testing.assert_allclose(token_probabilities(logits), [1 / 7, 2 / 7, 4 / 7])
    got = token_probabilities(logits, 0.5)
    np.testing.assert_allclose(got, [1 / 21, 4 / 21, 16 / 21])
    assert token_probabilities(logits, 0).tolist() == [0, 0, 1]
    assert token_probabilities(logits, 1e-308).tolist() == [0, 0, 1]
    assert token_probabilities(np.array([1.0, 3, 3]), 0).tolist() == [0, 1, 0]


P = np.array([0.1, 0.4, 0.3, 0.2])


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


def test_of_equally_likely_tokens_the_first_are_kept():
    got = token_probabilities(np.zeros(5), top_k=2)
    np.testing.assert_allclose(got, [0.5, 0.5, 0, 0, 0])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            {"temperature": -0.1},
            r"temperature must not be negative, got temperature -0.1",
        ),
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


def test_a_table_of_positions_bounds_the_length(decoder):
    bounded = Decoder(
        Embedding(decoder.embedding.table), decoder.layers, positions=np.ones((5, 12))
    )
    assert generate(bounded, PROMPT, 3, temperature=0).shape == (2, 6)
    with pytest.raises(ValueError, match="positions has 5 rows, got n_tokens 6"):
        generate(bounded, PROMPT, 4, temperature=0)


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


def test_the_least_top_p_keeps_one_token():
    kept = token_probabilities(np.log([1.0, 2.0, 1.0]), top_p=1e-300)
    assert kept.tolist() == [0, 1, 0]


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


def test_a_token_of_probability_0_is_never_drawn():
    class Least:
        def random(self, shape):
            return np.zeros(shape)

    probabilities = np.array([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
    assert sampling.sample(probabilities, Least()).tolist() == [1, 0]
