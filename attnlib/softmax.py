"""Softmax: scores become weights that are positive and sum to 1."""

from __future__ import annotations

import math

from array_api_compat import array_namespace

from attnlib._arrays import Array, ArrayLike, as_floats, cast
from attnlib._checks import check_integer, require

# exp of anything below this is 0 in every floating dtype, long double included.
LOWEST_EXPONENT = -1e5


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
    powers = xp.exp(_below_largest(x, axis))
    total = xp.sum(powers, axis=axis, keepdims=True)
    # A row of nothing but −inf has total 0; dividing by 1 leaves its zeros.
    weights = powers / xp.where(total == 0, xp.ones_like(total), total)
    return cast(weights, dtype)


def _below_largest(x: Array, axis: int) -> Array:
    """Compute x − max(x), without overflow and without the NaN of −inf − −inf.

    The difference of halves cannot overflow, and doubling it is exact.
    """
    xp = array_namespace(x)
    largest = xp.max(x, axis=axis, keepdims=True)
    largest = xp.where(largest == -math.inf, xp.zeros_like(largest), largest)
    largest = xp.where(largest == math.inf, xp.full_like(largest, math.nan), largest)
    return 2 * xp.clip(x / 2 - largest / 2, min=LOWEST_EXPONENT)


def _check_axis(x: Array, axis: int) -> None:
    axis = check_integer("softmax", "axis", axis)
    rule = f"x has no axis {axis}"
    require(-x.ndim <= axis < x.ndim, "softmax", rule, x=x)
    require(x.shape[axis] > 0, "softmax", f"axis {axis} must not have length 0", x=x)
