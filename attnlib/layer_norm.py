"""Layer normalisation: every row brought to mean 0 and variance 1."""

from __future__ import annotations

from attnlib._arrays import Array, ArrayLike, as_floats, cast
from attnlib._checks import check_number, check_vectors, require


def layer_norm(
    x: ArrayLike,
    gain: ArrayLike,
    bias: ArrayLike | None = None,
    *,
    eps: float = 1e-5,
) -> Array:
    """Give every row mean 0 and variance 1, then a gain and a bias for each column.

    gain · (x − mean) / √(variance + eps) + bias

    Parameters
    ----------
    x : array, (..., d)
    gain : array, (d,)
    bias : array, (d,), optional
    eps : float
        Keeps the division safe for rows of equal numbers.

    Returns
    -------
    array, (..., d)

    Raises
    ------
    ValueError
        If the shapes do not fit together or eps is negative.

    Examples
    --------
    >>> layer_norm([[1.0, 3.0]], [1.0, 1.0], eps=0.0)
    array([[-1.,  1.]])

    References
    ----------
    Ba, Kiros and Hinton (2016), Layer Normalization, equation 4.
    """
    operation = "layer_norm"
    eps = check_number(operation, "eps", eps, positive=False)
    require(eps >= 0, operation, "eps must not be negative", eps=eps)
    xp, dtype, (x, gain, bias) = as_floats(operation, x=x, gain=gain, bias=bias)
    rule = "x must have shape (..., d) with d of at least 1"
    require(x.ndim > 0 and x.shape[-1] > 0, operation, rule, x=x)
    check_vectors(operation, x.shape[-1], gain=gain, bias=bias)
    centred = x - xp.mean(x, axis=-1, keepdims=True)
    variance = xp.mean(centred * centred, axis=-1, keepdims=True)
    normal = gain * centred / xp.sqrt(variance + eps)
    return cast(normal if bias is None else normal + bias, dtype)
