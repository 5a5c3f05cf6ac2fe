"""Projections: multiply rows by a weight matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import as_floats, cast
from attnlib._types import A, Array, ArrayLike, Float


def project(
    x: Float[ArrayLike[A], "... n_tokens d_in"],
    weight: Float[ArrayLike[A], "d_in d_out"],
    bias: Float[ArrayLike[A], " d_out"] | None = None,
) -> Float[A, "... n_tokens d_out"]:
    """Multiply every row by a weight matrix: xW + b.

    Parameters
    ----------
    x : array, (..., n_tokens, d_in)
        Row vectors. PyTorch's `nn.Linear` stores the transpose of our weight.
    weight : array, (d_in, d_out)
    bias : array, (d_out,), optional

    Returns
    -------
    array, (..., n_tokens, d_out)

    Examples
    --------
    >>> project([[1, 0, 1, 0]], [[1, 0], [0, 1], [1, 1], [2, 3]])
    array([[2., 1.]])
    """
    operation = "project"
    dtype, (x, weight, bias) = as_floats(
        operation, ("bias",), x=x, weight=weight, bias=bias
    )
    check.weight(operation, weight=weight)
    check.product(operation, x, weight=weight)
    check.shape(operation, (weight.shape[1],), bias=bias)
    return cast(linear(x, weight, bias), dtype)


def linear(x: Array, weight: Array, bias: Array | None) -> Any:
    """Do what `project` does, without checks."""
    return x @ weight if bias is None else x @ weight + bias


def random_weight(
    rng: np.random.Generator, d_in: int, d_out: int
) -> Float[np.ndarray, "d_in d_out"]:
    """Draw a weight matrix from a normal distribution with variance 1/d_in.

    Rows with entries of variance 1 keep that variance when multiplied by it.
    """
    return rng.standard_normal((d_in, d_out)) / math.sqrt(d_in)
