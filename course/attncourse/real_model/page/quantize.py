"""Weights of the page: the arrays that it needs, and how they are rounded to int8.

There is a scale for each group of 32 along a row.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attncourse.checks import require

# The names of the arrays, in the order of their bytes.
TABLE = "embeddings.word_embeddings.weight"
KIND = "embeddings.token_type_embeddings.weight"
NORM = [f"embeddings.LayerNorm.{part}" for part in ("weight", "bias")]
SHARED = ["embeddings.position_embeddings.weight", KIND, *NORM]
IN_LAYER = [
    f"{place}.{part}"
    for place in (
        *(f"attention.self.{name}" for name in ("query", "key", "value")),
        *("attention.output.dense", "attention.output.LayerNorm"),
        *("intermediate.dense", "output.dense", "output.LayerNorm"),
    )
    for part in ("weight", "bias")
]
GROUP = 32
LARGEST = 127


def quantize(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Round each group of a row to 255 levels, evenly spaced on both sides of 0.

    Parameters
    ----------
    weights : array, (n_rows, n_columns)
        n_columns must be a multiple of 32.

    Returns
    -------
    levels : array of int8, (n_rows, n_columns)
    scales : array of uint16, (n_rows, n_columns / 32)
        The upper halves of float32 numbers (bfloat16).

    Raises
    ------
    ValueError
        If a row cannot be cut into groups of 32.

    Examples
    --------
    >>> levels, scales = quantize(np.linspace(-1, 1, 128, dtype="f4").reshape(1, 128))
    >>> levels.shape, scales.shape, levels[0, 0], levels[0, -1]
    ((1, 128), (1, 4), np.int8(-126), np.int8(126))
    """
    rule = f"weights must be rows that groups of {GROUP} cut without a rest"
    whole = np.ndim(weights) == 2 and np.shape(weights)[1] % GROUP == 0
    require(whole, "quantize", rule, shape=np.shape(weights))
    groups = np.asarray(weights, np.float32).reshape(len(weights), -1, GROUP)
    scales = _upper_half(np.abs(groups).max(axis=-1) / LARGEST)
    steps = _number(scales)[..., None]
    levels = np.rint(groups / np.where(steps, steps, 1)).astype(np.int8)
    return levels.reshape(weights.shape), scales


def dequantize(levels: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Return the float32 weights that levels and scales stand for."""
    groups = levels.reshape(*scales.shape, GROUP).astype(np.float32)
    return (groups * _number(scales)[..., None]).reshape(levels.shape)


def _upper_half(numbers: np.ndarray) -> np.ndarray:
    """Keep the upper 16 bits, rounded up: no level may go beyond 127."""
    bits = numbers.astype(np.float32).view(np.uint32)
    return ((bits + 0xFFFF) >> 16).astype(np.uint16)


def _number(halves: np.ndarray) -> np.ndarray:
    return (halves.astype(np.uint32) << 16).view(np.float32)


def is_rounded(name: str, array: np.ndarray) -> bool:
    """Tell whether the page has this array in int8: every matrix but the two kinds."""
    return array.ndim == 2 and array.dtype.kind == "f" and "token_type" not in name


def round_arrays(arrays: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Give all weights the values that they have in the page.

    Parameters
    ----------
    arrays : mapping of str to array
        The weights, named as in the published file.
    """
    return {
        name: dequantize(*quantize(array)) if is_rounded(name, array) else array
        for name, array in arrays.items()
    }
