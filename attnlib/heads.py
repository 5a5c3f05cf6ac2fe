"""Heads: columns cut into groups, and joined again."""

from __future__ import annotations

from typing import Any

from attnlib import _checks as check
from attnlib._arrays import as_arrays, namespace
from attnlib._checks import require
from attnlib._types import A, Array, ArrayLike, Shaped


def split_heads(
    x: Shaped[ArrayLike[A], "... n d_model"], n_heads: int
) -> Shaped[A, "... n_heads n d_k"]:
    """Cut the columns into heads: (..., n, d_model) → (..., n_heads, n, d_k).

    Head h takes the columns h·d_k … (h+1)·d_k − 1, with d_k = d_model / n_heads.

    Examples
    --------
    >>> import numpy as np
    >>> split_heads(np.zeros((5, 12)), 3).shape
    (3, 5, 4)
    """
    _, (x,) = as_arrays("split_heads", x=x)
    check.rows("split_heads", x=x)
    check.divides("split_heads", n_heads, x.shape[-1])
    split: A = split_columns(x, n_heads)
    return split


def merge_heads(
    heads: Shaped[ArrayLike[A], "... n_heads n d_k"],
) -> Shaped[A, "... n d_model"]:
    """Join heads side by side: (..., n_heads, n, d_k) → (..., n, d_model).

    Examples
    --------
    >>> import numpy as np
    >>> merge_heads(np.zeros((3, 5, 4))).shape
    (5, 12)
    """
    _, (heads,) = as_arrays("merge_heads", heads=heads)
    rule = "heads must have shape (..., n_heads, n, d_k)"
    require(heads.ndim >= 3, "merge_heads", rule, heads=heads)
    merged: A = merge_columns(heads)
    return merged


def split_columns(x: Array, n_heads: int) -> Any:
    """Do what `split_heads` does, without checks."""
    *batch, n, d_model = x.shape
    xp = namespace(x)
    heads = xp.reshape(x, (*batch, n, n_heads, d_model // n_heads))
    return xp.moveaxis(heads, -2, -3)  # (..., n_heads, n, d_k)


def merge_columns(heads: Array) -> Any:
    """Do what `merge_heads` does, without checks."""
    *batch, n_heads, n, d_k = heads.shape
    xp = namespace(heads)
    side_by_side = xp.moveaxis(heads, -3, -2)  # (..., n, n_heads, d_k)
    return xp.reshape(side_by_side, (*batch, n, n_heads * d_k))
