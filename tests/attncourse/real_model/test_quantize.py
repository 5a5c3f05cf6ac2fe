"""Weights as int8 levels with a scale for each group."""

import numpy as np
import pytest

from attncourse.real_model.page.quantize import dequantize, quantize, round_arrays


def test_by_hand():
    """A power of two as the scale: every level can be had with a pencil."""
    weights = np.zeros((1, 64), np.float32)
    weights[0, :4] = [127 / 64, -127 / 64, 3 / 64, 1 / 256]
    weights[0, 40] = 127 * 8
    levels, scales = quantize(weights)
    assert levels[0, :4].tolist() == [127, -127, 3, 0]
    assert levels[0, 40] == 127
    numbers = (scales.astype("u4") << 16).view("f4")
    assert numbers.tolist() == [[1 / 64, 8]]
    expected = weights.copy()
    expected[0, 3] = 0
    np.testing.assert_array_equal(dequantize(levels, scales), expected)


def test_a_weight_moves_by_half_a_step_at_most(rng):
    weights = (rng.normal(size=(7, 96)) * 10.0 ** rng.integers(-6, 6, (7, 1))).astype(
        "f4"
    )
    levels, scales = quantize(weights)
    assert levels.dtype == np.int8
    assert np.abs(levels.astype(int)).max() == 127  # -128 is never used
    steps = np.abs(weights.reshape(7, 3, 32)).max(axis=-1, keepdims=True) / 127
    moved = np.abs(dequantize(levels, scales) - weights).reshape(7, 3, 32)
    # The upper half of a float32 is up to 1 part in 128 above it.
    assert (moved <= steps * (1 + 1 / 128) / 2 * (1 + 1e-6)).all()


def test_a_group_of_zeros_stays_zero():
    weights = np.zeros((2, 32), np.float32)
    np.testing.assert_array_equal(dequantize(*quantize(weights)), weights)


@pytest.mark.parametrize("shape", [(3, 33), (64,)])
def test_rows_must_be_cut_without_a_rest(shape):
    with pytest.raises(ValueError, match=r"quantize: .*groups of 32.*got shape \("):
        quantize(np.zeros(shape))


def test_only_matrices_of_numbers_are_rounded(rng):
    arrays = {
        "dense.weight": rng.normal(size=(3, 32)).astype("f4"),
        "dense.bias": rng.normal(size=32).astype("f4"),
        "token_type_embeddings.weight": rng.normal(size=(2, 32)).astype("f4"),
        "position_ids": np.arange(64).reshape(1, 64),
    }
    rounded = round_arrays(arrays)
    changed = [n for n in arrays if not np.array_equal(arrays[n], rounded[n])]
    assert changed == ["dense.weight"]
