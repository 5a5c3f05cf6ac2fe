"""Positions: the paper's encoding, ALiBi, rotary embeddings."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlib import (
    alibi_bias,
    apply_rotary,
    attention_weights,
    rotary_embedding,
    sinusoidal_positional_encoding,
)
from tests.attnlib import oracle


@given(st.integers(0, 13), st.integers(1, 17), st.sampled_from([2.0, 100.0, 10_000]))
def test_against_the_formula(n_positions, d_model, base):
    table = sinusoidal_positional_encoding(n_positions, d_model, base=base)
    assert table.shape == (n_positions, d_model)
    assert table.dtype == np.float64
    for pos, column in np.ndindex(table.shape):
        i = column // 2
        angle = pos / base ** (2 * i / d_model)
        expected = math.sin(angle) if column % 2 == 0 else math.cos(angle)
        assert table[pos, column] == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 4), r"n_positions must be an integer of at least 0, got n_positions -1$"),
        ((2.0, 4), r"n_positions must be .* got n_positions 2.0$"),
        ((2, 0), r"d_model must be an integer of at least 1, got d_model 0$"),
        ((2, 4.0), r"d_model must be .* got d_model 4.0$"),
        ((2, 4, 0), r"base must be a positive finite number, got base 0$"),
        ((2, 4, -3.0), r"base must be a positive finite number, got base -3.0$"),
        ((2, 4, math.inf), r"base must be a positive finite number, got base inf$"),
        ((2, 4, "10"), r"base must be a positive finite number, got base '10'$"),
    ],
)
def test_errors(arguments, message):
    n_positions, d_model, *base = arguments
    options = {"base": base[0]} if base else {}
    with pytest.raises(ValueError, match=f"^sinusoidal_positional_encoding: {message}"):
        sinusoidal_positional_encoding(n_positions, d_model, **options)


# As in the paper's code: the power of two below, then every other slope above.
SLOPES = {
    1: [2**-8],
    2: [2**-4, 2**-8],
    3: [2**-4, 2**-8, 2**-2],
    6: [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3],
    8: [2.0**-i for i in range(1, 9)],
}


@pytest.mark.parametrize("n_heads", SLOPES)
@pytest.mark.parametrize("query_offset", [0, 2, -1])
def test_against_its_rule(n_heads, query_offset):
    bias = alibi_bias(n_heads, 3, 5, query_offset=query_offset)
    assert (bias.shape, bias.dtype) == ((n_heads, 3, 5), float)
    for h, i, j in np.ndindex(n_heads, 3, 5):
        assert bias[h, i, j] == -SLOPES[n_heads][h] * abs(i + query_offset - j)


def test_as_many_keys_as_queries_unless_asked():
    assert alibi_bias(2, 3).shape == (2, 3, 3)


def test_it_is_a_float_mask(rng):
    """With equal scores, weights fall by a factor for each step into the past."""
    zero = np.zeros((4, 3, 5))
    weights = attention_weights(zero, zero, mask=alibi_bias(4, 3), is_causal=True)
    ratios = weights[:, 2, 1] / weights[:, 2, 2]
    np.testing.assert_allclose(ratios, np.exp(-np.array([2**-2, 2**-4, 2**-6, 2**-8])))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((0, 3), "n_heads must be an integer of at least 1"),
        ((2, -1), "n_queries must be an integer of at least 0"),
        ((2, 3, 0), "n_keys must be an integer of at least 1"),
        ((2.0, 3), "n_heads must be an integer"),
    ],
)
def test_errors_alibi(sizes, message):
    with pytest.raises(ValueError, match=f"^alibi_bias: {message}"):
        alibi_bias(*sizes)
    with pytest.raises(ValueError, match=r"^alibi_bias: query_offset must be an integ"):
        alibi_bias(2, 3, query_offset=0.5)


def test_offsets_that_no_sequence_reaches():
    with pytest.raises(ValueError, match=r"^alibi_bias: query_offset must be between"):
        alibi_bias(2, 3, query_offset=10**30)


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("rotary_dim", [None, 2, 4])
@pytest.mark.parametrize("base", [10_000.0, 500])
def test_against_loops(xp, rng, interleaved, rotary_dim, base):
    x = rng.normal(size=(5, 6))
    how = {"base": base, "interleaved": interleaved}
    positions = [0, 3, 1, 4000, -2]
    turned = rotary_dim or 6
    expected = oracle.rotary(x.tolist(), positions, base, turned, interleaved)
    given = xp.asarray(positions)
    got = rotary_embedding(xp.asarray(x), positions=given, rotary_dim=rotary_dim, **how)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-11, atol=1e-13)
    expected = oracle.rotary(x.tolist(), range(5), base, turned, interleaved)
    got = rotary_embedding(xp.asarray(x), rotary_dim=rotary_dim, **how)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-11, atol=1e-13)


def test_halves_are_paired_unless_asked(rng):
    x = rng.normal(size=(5, 6))
    halves = rotary_embedding(x, interleaved=False)
    np.testing.assert_array_equal(rotary_embedding(x), halves)
    np.testing.assert_array_equal(rotary_embedding(x, base=1e4, rotary_dim=6), halves)


def test_by_hand_rotary():
    """A quarter of a turn for the first pair; the second stays, its angle is 0."""
    cos, sin = [[0.0, 1.0]], [[1.0, 0.0]]
    x = [[1.0, 2.0, 3.0, 4.0, 5.0]]
    assert apply_rotary(x, cos, sin).tolist() == [[-3, 2, 1, 4, 5]]
    assert apply_rotary(x, cos, sin, interleaved=True).tolist() == [[-2, 1, 3, 4, 5]]


@pytest.mark.parametrize("interleaved", [False, True])
def test_scores_depend_on_the_offset_alone(rng, interleaved):
    query, key = rng.normal(size=(2, 5, 6))
    here, there = (
        attention_weights(
            rotary_embedding(
                query, positions=start + np.arange(5), interleaved=interleaved
            ),
            rotary_embedding(
                key, positions=start + np.arange(5), interleaved=interleaved
            ),
        )
        for start in (0, 1000)
    )
    np.testing.assert_allclose(here, there, rtol=1e-9)
    assert np.abs(here - attention_weights(query, key)).max() > 0.01


def test_lengths_stay_and_turning_back_undoes_it(rng):
    x, angles = rng.normal(size=(2, 5, 6)), rng.normal(size=(5, 3))
    cos, sin = np.cos(angles), np.sin(angles)
    turned = apply_rotary(x, cos, sin)
    length = np.linalg.norm(x, axis=-1)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), length, rtol=1e-12)
    np.testing.assert_allclose(apply_rotary(turned, cos, -sin), x, rtol=1e-10)


def test_positions_of_each_item(rng):
    x = rng.normal(size=(2, 3, 5, 4))
    positions = np.array([[[0, 1, 2, 3, 4]], [[7, 8, 9, 10, 11]]])  # shared by heads
    got = rotary_embedding(x, positions=positions)
    for b in range(2):
        one = rotary_embedding(x[b], positions=positions[b, 0])
        np.testing.assert_allclose(got[b], one, rtol=1e-12)
    angles = rng.normal(size=(2, 1, 5, 2))
    whole = apply_rotary(x, np.cos(angles), np.sin(angles))
    one = apply_rotary(x[1, 2], np.cos(angles[1, 0]), np.sin(angles[1, 0]))
    np.testing.assert_allclose(whole[1, 2], one, rtol=1e-12)


def test_far_positions_keep_their_angle_in_float32():
    """A position times a frequency, in float32, is off by up to half a degree there."""
    x = np.ones((1, 4), np.float32)
    got = rotary_embedding(x, positions=[1_000_003], base=7.0)
    exact = rotary_embedding(x.astype(float), positions=[1_000_003], base=7.0)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, exact, atol=3e-7)


X = np.ones((2, 5, 6))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"rotary_dim": 3}, r"rotary_dim must be even and at most d = 6, got .* 3$"),
        ({"rotary_dim": 8}, r"rotary_dim must be even and at most d = 6, got .* 8$"),
        ({"rotary_dim": 0}, r"rotary_dim must be an integer of at least 1, got .* 0$"),
        ({"base": 0}, r"base must be a positive finite number"),
        ({"base": "1"}, r"base must be a positive finite number"),
        ({"positions": [0, 1]}, "positions must broadcast to .*, got positions"),
        ({"positions": np.ones((3, 2, 5))}, "positions must broadcast to the axes of"),
        ({"positions": ["a"] * 5}, r"positions must hold real numbers"),
    ],
)
def test_rotary_embedding_refuses(how, message):
    with pytest.raises(ValueError, match=f"^rotary_embedding: {message}"):
        rotary_embedding(X, **how)


def test_an_odd_number_of_columns_needs_a_rotary_dim():
    with pytest.raises(ValueError, match=r"rotary_dim must be even and at most d = 5"):
        rotary_embedding(X[..., :5])
    assert rotary_embedding(X[..., :5], rotary_dim=4).shape == (2, 5, 5)
    with pytest.raises(ValueError, match=r"^rotary_embedding: x must have shape"):
        rotary_embedding([1.0, 2.0])


@pytest.mark.parametrize(
    ("cos", "sin", "message"),
    [
        ((5, 3), (5, 2), r"cos and sin must have the same shape, got cos \(5, 3\) and"),
        ((5, 4), (5, 4), r"cos must have at most one .* of x, got cos \(5, 4\) and x"),
        ((4, 3), (4, 3), r"cos and sin must broadcast to .*, got cos \(4, 3\) and x"),
        ((3, 2, 5, 3), (3, 2, 5, 3), r"cos and sin must broadcast to the axes of x"),
        ((3,), (3,), r"cos must have shape"),
    ],
)
def test_apply_rotary_refuses(cos, sin, message):
    with pytest.raises(ValueError, match=f"^apply_rotary: {message}"):
        apply_rotary(X, np.ones(cos), np.ones(sin))
