"""Positions: attention ignores order, so order is added to the input or the scores."""

from __future__ import annotations

import numpy as np

from attnlib import _checks as check
from attnlib._types import Float
from attnlib.masks import check_sizes


def sinusoidal_positional_encoding(
    n_positions: int, d_model: int, *, base: float = 10_000.0
) -> Float[np.ndarray, "n_positions d_model"]:
    r"""Encode each position as sines and cosines of decreasing frequency.

    .. math::
        PE(pos, 2i) = \sin(pos / base^{2i / d_{model}}) \qquad
        PE(pos, 2i + 1) = \cos(pos / base^{2i / d_{model}})

    Parameters
    ----------
    n_positions : int
        The positions are 0, 1, …, n_positions − 1.
    d_model : int
        Columns. With an odd number the last sine has no cosine.
    base : float
        10000 in the paper. The wavelengths run from 2π up toward 2π · base.

    Returns
    -------
    NumPy array of float64, (n_positions, d_model)

    Examples
    --------
    >>> sinusoidal_positional_encoding(3, 4).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.8415,  0.5403,  0.01  ,  1.    ],
           [ 0.9093, -0.4161,  0.02  ,  0.9998]])

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.5.
    """
    operation = "sinusoidal_positional_encoding"
    n_positions = check.count(operation, "n_positions", n_positions, minimum=0)
    d_model = check.count(operation, "d_model", d_model)
    base = check.number(operation, "base", base, positive=True)
    column = np.arange(d_model)
    even = column - column % 2  # 2i: both columns of a pair share one frequency
    angle = np.arange(n_positions)[:, None] / base ** (even / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


def alibi_bias(
    n_heads: int, n_queries: int, n_keys: int | None = None, *, query_offset: int = 0
) -> Float[np.ndarray, "n_heads n_queries n_keys"]:
    """Return a bias that lowers the scores of distant keys, with a slope for each head.

    The bias is −slope · distance. With n_heads a power of two, head h has the slope
    2^(−8 (h + 1) / n_heads); otherwise the slopes of the power below come first, then
    every other slope of the power above.

    Parameters
    ----------
    n_heads, n_queries : int
    n_keys : int, optional
        As many as queries by default.
    query_offset : int
        The position of the first query among the keys.

    Returns
    -------
    NumPy array of float64, (n_heads, n_queries, n_keys)
        A float mask. It forbids nothing: pass `is_causal` as well to hide later keys.

    Examples
    --------
    >>> alibi_bias(2, 3)[:, 2] * 256
    array([[-32., -16.,   0.],
           [ -2.,  -1.,   0.]])

    References
    ----------
    Press, Smith and Lewis (2022), Train Short, Test Long, section 3 and its code.
    """
    operation = "alibi_bias"
    n_heads = check.count(operation, "n_heads", n_heads)
    sizes = check_sizes(operation, n_queries, n_keys, query_offset)
    n_queries, n_keys, offset = sizes
    distance = np.abs(np.arange(n_keys) - np.arange(n_queries)[:, None] - offset)
    bias: np.ndarray = _alibi_slopes(n_heads)[:, None, None] * -distance
    return bias


def _alibi_slopes(n_heads: int) -> Float[np.ndarray, " n_heads"]:
    power = 2 ** (n_heads.bit_length() - 1)  # the largest power of two ≤ n_heads
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-8 * np.arange(1, 2 * power, 2) / (2 * power))
    return np.concatenate([slopes, between[: n_heads - power]])
