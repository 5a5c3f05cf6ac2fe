"""Normalization: bring every row to the same scale."""

from __future__ import annotations

from typing import Any

from attnlib import _checks as check
from attnlib._arrays import as_floats, cast, namespace
from attnlib._checks import require
from attnlib._types import A, Array, ArrayLike, Float


def layer_norm(
    x: Float[ArrayLike[A], "... d"],
    gain: Float[ArrayLike[A], " d"],
    bias: Float[ArrayLike[A], " d"] | None = None,
    *,
    eps: float = 1e-5,
) -> Float[A, "... d"]:
    """Give rows mean 0 and variance 1, then apply a gain and a bias to each column.

    gain · (x − mean) / √(variance + eps) + bias. A row whose variance is not
    far above eps ends up below variance 1; rows of equal numbers become the bias.

    Parameters
    ----------
    x : array, (..., d)
    gain : array, (d,)
    bias : array, (d,), optional
    eps : float
        Not negative. Keeps the division safe for rows of equal numbers.

    Returns
    -------
    array, (..., d)

    Examples
    --------
    >>> layer_norm([[1.0, 3.0]], [1.0, 1.0], eps=0.0)
    array([[-1.,  1.]])

    References
    ----------
    Ba, Kiros and Hinton (2016), Layer Normalization, equation 4.
    """
    operation = "layer_norm"
    eps = check.eps(operation, eps)
    dtype, (x, gain, bias) = as_floats(operation, ("bias",), x=x, gain=gain, bias=bias)
    check_norm(operation, x, gain=gain, bias=bias)
    return cast(center_and_scale(x, gain, bias, eps), dtype)


def rms_norm(
    x: Float[ArrayLike[A], "... d"],
    gain: Float[ArrayLike[A], " d"] | None = None,
    *,
    eps: float = 1e-5,
) -> Float[A, "... d"]:
    """Give every row a root mean square of 1, then apply a gain to each column.

    gain · x / √(mean(x²) + eps): `layer_norm` without the mean and the bias. A row
    whose mean(x²) is not far above eps ends up below 1; zeros stay zeros.

    Parameters
    ----------
    x : array, (..., d)
    gain : array, (d,), optional
    eps : float
        Not negative. Keeps the division safe for rows of zeros.

    Returns
    -------
    array, (..., d)

    Examples
    --------
    >>> rms_norm([[1.0, 7.0]], eps=0.0)
    array([[0.2, 1.4]])

    References
    ----------
    Zhang and Sennrich (2019), Root Mean Square Layer Normalization, equation 4.
    """
    operation = "rms_norm"
    eps = check.eps(operation, eps)
    dtype, (x, gain) = as_floats(operation, ("gain",), x=x, gain=gain)
    check_norm(operation, x, gain=gain)
    return cast(divide_by_rms(x, gain, eps), dtype)


def center_and_scale(x: Array, gain: Array, bias: Array | None, eps: float) -> Any:
    """Do what `layer_norm` does, without checks.

    Means are computed relative to the first number of a row, so that the mean of equal
    numbers is exactly that number.
    """
    xp, size = namespace(x), huge_size(x)
    x = x / size
    first = x[..., :1]
    mean = first + xp.mean(x - first, axis=-1, keepdims=True)
    normal = gain * _divide_by_root(x - mean, eps / size / size)
    return normal if bias is None else normal + bias


def divide_by_rms(x: Array, gain: Array | None, eps: float) -> Any:
    """Do what `rms_norm` does, without checks."""
    size = huge_size(x)
    normal = _divide_by_root(x / size, eps / size / size)
    return normal if gain is None else gain * normal


def _divide_by_root(x: Array, eps: Array) -> Any:
    xp = namespace(x)
    return x / xp.sqrt(xp.mean(x * x, axis=-1, keepdims=True) + eps)


def huge_size(x: Array) -> Any:
    """Return each row's largest magnitude where squares might overflow, else 1."""
    xp = namespace(x)
    largest = xp.max(xp.abs(x), axis=-1, keepdims=True)
    safe = float(xp.finfo(x.dtype).max) ** 0.5 / 2**16
    return xp.where((largest > safe) & xp.isfinite(largest), largest, 1.0)


def check_norm(operation: str, x: Array, **vectors: Array | None) -> None:
    """Check that rows are not empty, and that vectors are as long as a row."""
    rule = "x must have shape (..., d) with d of at least 1"
    require(x.ndim > 0 and x.shape[-1] > 0, operation, rule, x=x)
    check.shape(operation, (x.shape[-1],), **vectors)
