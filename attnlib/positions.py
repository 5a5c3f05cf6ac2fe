"""Positions: attention cannot see order, so order is added to the input."""

# ruff: noqa: F722 (shapes in annotations)

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnlib._checks import check_count, check_number

if TYPE_CHECKING:
    from jaxtyping import Float


def sinusoidal_positional_encoding(
    n_positions: int, d_model: int, *, base: float = 10_000.0
) -> Float[np.ndarray, "n_positions d_model"]:
    r"""Encode each position as sines and cosines of falling frequency.

    .. math::
        PE(pos, 2i) = \sin(pos / base^{2i / d_{model}}) \qquad
        PE(pos, 2i + 1) = \cos(pos / base^{2i / d_{model}})

    Parameters
    ----------
    n_positions : int
        The positions are 0, 1, …, n_positions − 1.
    d_model : int
        Columns. With an odd number the last sine has no cosine beside it.
    base : float
        10000 in the paper. The wavelengths run from 2π up towards 2π · base.

    Returns
    -------
    NumPy array of float64, (n_positions, d_model)

    Raises
    ------
    ValueError
        If n_positions is negative, d_model is less than 1, or base is not positive.

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
    n_positions = check_count(operation, "n_positions", n_positions, minimum=0)
    d_model = check_count(operation, "d_model", d_model)
    base = check_number(operation, "base", base, positive=True)
    column = np.arange(d_model)
    even = column - column % 2  # 2i: both columns of a pair share one frequency
    angle = np.arange(n_positions)[:, None] / base ** (even / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
