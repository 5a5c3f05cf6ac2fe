"""Rotary positions: queries and keys are rotated by angles that grow with position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnlib import _checks as check
from attnlib._arrays import as_arrays, as_floats, cast, device_of, namespace, wide_float
from attnlib._checks import require
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Real
from attnlib.rotary_scaling import check_scaling, rotary_periods


def rotary_embedding(
    x: Float[ArrayLike[A], "... n d"],
    *,
    positions: Real[AnyLike, "... n"] | None = None,
    base: float = 10_000.0,
    rotary_dim: int | None = None,
    interleaved: bool = False,
    scaling: Mapping[str, Any] | None = None,
) -> Float[A, "... n d"]:
    r"""Rotate pairs of columns by angles that grow with the position of the row.

    Pair i of a row at position p is rotated by the angle
    :math:`p / base^{2i / rotary\_dim}`. The dot product of a rotated query and a
    rotated key then depends on their contents and on the difference of their positions,
    not on the positions themselves. Values are not rotated.

    Angles are computed in float64. Where that is missing (JAX needs it enabled), they
    lose precision at positions from 10⁵ on.

    Parameters
    ----------
    x : array, (..., n, d)
        Queries or keys.
    positions : array, (..., n), optional
        Broadcasts to the axes of x without the last; 0 … n − 1 by default.
    base : number
        Positive. The larger it is, the slower the last pairs rotate.
    rotary_dim : int, optional
        Even. Only the first rotary_dim columns are rotated; all by default.
    interleaved : bool
        Pair neighbors (0, 1), (2, 3), …; otherwise column i of the first half is
        paired with column i of the second.
    scaling : dict, optional
        For sequences longer than in training, a configuration's `rope_scaling`: see
        `rotary_frequencies`. The length of the sequence is the largest position plus 1.

    Returns
    -------
    array, (..., n, d)

    Examples
    --------
    >>> rotary_embedding([[1.0, 0.0], [1.0, 0.0]]).round(4)
    array([[1.    , 0.    ],
           [0.5403, 0.8415]])

    References
    ----------
    Su et al. (2021), RoFormer, section 3.2. The ONNX operator RotaryEmbedding.
    """
    operation = "rotary_embedding"
    base = check.number(operation, "base", base, positive=True)
    dtype, (x,) = as_floats(operation, x=x)
    check.rows(operation, x=x)
    d = x.shape[-1]
    rotary_dim = d if rotary_dim is None else rotary_dim
    rotary_dim = check.count(operation, "rotary_dim", rotary_dim)
    rule = f"rotary_dim must be even and at most d = {d}"
    fits = rotary_dim % 2 == 0 and rotary_dim <= d
    require(fits, operation, rule, rotary_dim=rotary_dim)
    if positions is None:
        where = namespace(x).arange(x.shape[-2], device=device_of(x))
    else:
        _, (where, _) = as_arrays(operation, positions=positions, x=x)
        rule = "positions must broadcast to the axes of x without the last"
        shape = tuple(x.shape[:-1])
        check.broadcasts_to(operation, where, shape, rule, positions=where, x=x)
    scaling = check_scaling(operation, scaling, rotary_dim)
    cos, sin = rotary_angles(where, rotary_dim, base, x.dtype, scaling)
    return cast(rotate(x, cos, sin, interleaved), dtype)


def apply_rotary(
    x: Float[ArrayLike[A], "... n d"],
    cos: Float[ArrayLike[A], "... n pairs"],
    sin: Float[ArrayLike[A], "... n pairs"],
    *,
    interleaved: bool = False,
) -> Float[A, "... n d"]:
    """Rotate pairs of columns by given angles: (a cos − b sin, a sin + b cos).

    Parameters
    ----------
    x : array, (..., n, d)
    cos, sin : array, (..., n, rotary_dim / 2)
        For each row and pair; they broadcast to the batch axes of x. Columns of x from
        rotary_dim on stay as they are.
    interleaved : bool
        As in `rotary_embedding`.

    Returns
    -------
    array, (..., n, d)
        With −sin in place of sin it rotates back, which carries a gradient back to x.

    Examples
    --------
    >>> apply_rotary([[1.0, 2.0, 3.0]], [[0.0]], [[1.0]])
    array([[-2.,  1.,  3.]])
    """
    operation = "apply_rotary"
    dtype, (x, cos, sin) = as_floats(operation, x=x, cos=cos, sin=sin)
    check.rows(operation, x=x, cos=cos, sin=sin)
    rule = "cos and sin must have the same shape"
    require(tuple(cos.shape) == tuple(sin.shape), operation, rule, cos=cos, sin=sin)
    rule = "cos must have at most one column for two of x"
    require(2 * cos.shape[-1] <= x.shape[-1], operation, rule, cos=cos, x=x)
    rule = "cos and sin must broadcast to the axes of x without the last"
    shape = (*x.shape[:-1], cos.shape[-1])
    check.broadcasts_to(operation, cos, shape, rule, cos=cos, x=x)
    return cast(rotate(x, cos, sin, interleaved), dtype)


def rotary_angles(
    positions: Array, rotary_dim: int, base: float, dtype: Any, scaling: Any
) -> tuple[Any, Any]:
    """Compute cosines and sines for positions (..., n): (..., n, rotary_dim / 2).

    With scaling, they are multiplied by its attention factor.
    """
    xp = namespace(positions)
    # Near 10⁶, neighboring float32 numbers are 1/16 apart: too coarse for an angle.
    wide = xp.result_type(dtype, wide_float(positions))
    n_positions = 1
    by_length = scaling["rope_type"] in ("dynamic", "longrope")
    if by_length and 0 not in positions.shape:
        n_positions = int(xp.max(positions)) + 1
    periods, factor = rotary_periods(rotary_dim, base, scaling, n_positions)
    steps = xp.asarray(periods, dtype=wide, device=device_of(positions))
    angles = cast(positions, wide)[..., None] / steps
    return cast(factor * xp.cos(angles), dtype), cast(factor * xp.sin(angles), dtype)


def rotate(x: Array, cos: Array, sin: Array, interleaved: bool = False) -> Any:
    """Do what `apply_rotary` does, without checks."""
    xp, half = namespace(x), cos.shape[-1]
    rotated, rest = x[..., : 2 * half], x[..., 2 * half :]
    if interleaved:
        a, b = rotated[..., 0::2], rotated[..., 1::2]
    else:
        a, b = rotated[..., :half], rotated[..., half:]
    a, b = a * cos - b * sin, a * sin + b * cos
    if interleaved:
        rotated = xp.reshape(xp.stack([a, b], axis=-1), rotated.shape)
        return xp.concat([rotated, rest], axis=-1)
    return xp.concat([a, b, rest], axis=-1)
