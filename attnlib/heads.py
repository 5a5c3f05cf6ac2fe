"""Heads: columns cut into groups, and put together again."""

from __future__ import annotations

from attnlib._arrays import Array, ArrayLike, as_arrays
from attnlib._checks import check_divides, check_rows, require


def split_heads(x: ArrayLike, n_heads: int) -> Array:
    """Cut the columns into heads: (..., n, d_model) → (..., n_heads, n, d_k).

    Head h takes the columns h·d_k … (h+1)·d_k, where d_k = d_model / n_heads.

    Examples
    --------
    >>> import numpy as np
    >>> split_heads(np.zeros((5, 12)), 3).shape
    (3, 5, 4)
    """
    xp, (x,) = as_arrays("split_heads", x=x)
    check_rows("split_heads", x=x)
    *batch, n, d_model = x.shape
    check_divides("split_heads", n_heads, d_model)
    heads = xp.reshape(x, (*batch, n, n_heads, d_model // n_heads))
    return xp.moveaxis(heads, -2, -3)  # (..., n_heads, n, d_k)


def merge_heads(heads: ArrayLike) -> Array:
    """Put heads side by side again: (..., n_heads, n, d_k) → (..., n, d_model).

    Examples
    --------
    >>> import numpy as np
    >>> merge_heads(np.zeros((3, 5, 4))).shape
    (5, 12)
    """
    xp, (heads,) = as_arrays("merge_heads", heads=heads)
    rule = "heads must have shape (..., n_heads, n, d_k)"
    require(heads.ndim >= 3, "merge_heads", rule, heads=heads)
    *batch, n_heads, n, d_k = heads.shape
    beside = xp.moveaxis(heads, -3, -2)  # (..., n, n_heads, d_k)
    return xp.reshape(beside, (*batch, n, n_heads * d_k))
