"""Softmax: scores become weights that are positive and sum to 1."""

from __future__ import annotations

import math

import numpy as np
from array_api_compat import array_namespace, is_numpy_array

from attnlib._arrays import Array, ArrayLike, as_floats, cast
from attnlib._checks import check_integer, require


def softmax(x: ArrayLike, axis: int = -1) -> Array:
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
    xp, dtype, (x,) = as_floats("softmax", x=x)
    _check_axis(x, axis)
    powers = exponentials(x, axis)
    return cast(shares(powers, xp.sum(powers, axis=axis, keepdims=True)), dtype)


def exponentials(x: Array, axis: int, *, spare: bool = False) -> Array:
    """Compute exp(x − max(x)): zeros where all of x is −inf.

    With `spare`, nobody will read x again, and it may be overwritten.
    """
    xp = array_namespace(x)
    largest = xp.max(x, axis=axis, keepdims=True)
    largest = xp.where(largest == -math.inf, 0.0, largest)
    largest = xp.where(largest == math.inf, math.nan, largest)
    # A difference may overflow to −inf, and its exponential is 0, as it should be.
    with np.errstate(over="ignore"):
        below = xp.subtract(x, largest, **(_over(x) if spare else {}))
    return exp(below)


def exp(x: Array) -> Array:
    """Compute the exponential of what nobody will read again: x may be overwritten."""
    return array_namespace(x).exp(x, **_over(x))


def shares(powers: Array, total: Array) -> Array:
    """Divide by the total, and by 1 where it is 0. The powers may be overwritten."""
    xp = array_namespace(powers)
    return xp.divide(powers, xp.where(total == 0, 1.0, total), **_over(powers))


def _over(x: Array) -> dict[str, Array]:
    """Have NumPy write a result over x: new memory takes longer than the arithmetic.

    Other libraries have no such option, or cannot differentiate what used it.
    """
    return {"out": x} if is_numpy_array(x) else {}


def _check_axis(x: Array, axis: int) -> None:
    axis = check_integer("softmax", "axis", axis)
    rule = f"x has no axis {axis}"
    require(-x.ndim <= axis < x.ndim, "softmax", rule, x=x)
    require(x.shape[axis] > 0, "softmax", f"axis {axis} must not have length 0", x=x)
