import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlib import SelfAttention, sinusoidal_positional_encoding


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


def test_by_hand():
    """With d_model = 4 the two frequencies are 1 and 1/100."""
    expected = [
        [0, 1, 0, 1],
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)],
        [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)],
    ]
    got = sinusoidal_positional_encoding(3, 4)
    np.testing.assert_allclose(got, expected, rtol=1e-15)


def test_an_odd_width_ends_with_a_sine():
    table = sinusoidal_positional_encoding(5, 3)
    last = [math.sin(pos / 10_000 ** (2 / 3)) for pos in range(5)]
    np.testing.assert_allclose(table[:, 2], last, rtol=1e-14)


def test_base_is_10000_unless_given():
    given = sinusoidal_positional_encoding(5, 6, base=10_000.0)
    np.testing.assert_array_equal(sinusoidal_positional_encoding(5, 6), given)
    assert (
        sinusoidal_positional_encoding(5, 6, base=500)[1:, 2:] != given[1:, 2:]
    ).any()


def test_dot_products_depend_on_the_offset_alone():
    table = sinusoidal_positional_encoding(31, 10)
    scores = table @ table.T
    for offset in range(5):
        diagonal = np.diagonal(scores, offset)
        np.testing.assert_allclose(diagonal, diagonal[0], rtol=1e-12)
    assert np.all(scores[0, 1:] < scores[0, 0])


def test_positions_break_the_symmetry_of_attention(rng):
    """Without positions, shuffled words give shuffled outputs; with them, others."""
    x, order = rng.normal(size=(5, 6)), [3, 1, 4, 0, 2]
    layer = SelfAttention.random(6, 3, rng=rng)
    np.testing.assert_allclose(layer(x[order]), layer(x)[order], atol=1e-12)
    positions = sinusoidal_positional_encoding(5, 6)
    shuffled, plain = layer(x[order] + positions), layer(x + positions)[order]
    assert np.abs(shuffled - plain).max() > 1e-2


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
