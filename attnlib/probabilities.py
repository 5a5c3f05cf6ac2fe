"""Probabilities: scores become weights that are positive and sum to 1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from attnlib._arrays import as_floats, cast, namespace
from attnlib._checks import check_axis, require

if TYPE_CHECKING:
    from jaxtyping import Float

    from attnlib._types import Array, ArrayLike


def softmax(x: Float[ArrayLike, ...], axis: int = -1) -> Float[Array, ...]:
    """Turn scores into weights: exp(xᵢ) / Σⱼ exp(xⱼ).

    The largest score is subtracted first. That changes nothing in exact arithmetic and
    keeps every exponential between 0 and 1, so finite scores of any size are safe.

    Parameters
    ----------
    x : array, (..., n, ...)
        Scores.
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    array, the shape of x
        Scores of −inf get weight exactly 0, and a row of nothing but −inf gets zeros.
        A row with NaN or +inf in it gives NaN, as in PyTorch and SciPy.

    Raises
    ------
    ValueError
        If the axis is out of range or of length 0, or x does not hold real numbers.

    Examples
    --------
    >>> softmax([[1000.0, 1001.0, 1002.0]]).round(3)
    array([[0.09 , 0.245, 0.665]])
    >>> softmax([[0.0, -float("inf")]])
    array([[1., 0.]])

    References
    ----------
    Goodfellow, Bengio and Courville (2016), Deep Learning, section 4.1.
    """
    _, dtype, (x,) = as_floats("softmax", x=x)
    axis = check_axis("softmax", "x", x, axis)
    require(x.shape[axis] > 0, "softmax", f"axis {axis} must not have length 0", x=x)
    return cast(stable_softmax(x, axis), dtype)


def stable_softmax(x: Float[Array, ...], axis: int = -1) -> Any:
    """Do what `softmax` does, without checks."""
    xp = namespace(x)
    largest = xp.max(x, axis=axis, keepdims=True)
    largest = xp.where(largest == -math.inf, 0.0, largest)
    # A difference may overflow to −∞, or be ∞ − ∞, which is NaN: both are meant.
    with np.errstate(over="ignore", invalid="ignore"):
        exps = xp.exp(x - largest)
    total = xp.sum(exps, axis=axis, keepdims=True)
    return exps / xp.where(total == 0, 1.0, total)
