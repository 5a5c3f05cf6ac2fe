"""Probabilities: turn scores into weights that are not negative and sum to 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import as_arrays, as_floats, as_integers, cast, join, namespace
from attnlib._checks import require
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Int


def softmax(x: Float[ArrayLike[A], "..."], axis: int = -1) -> Float[A, "..."]:
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
    dtype, (x,) = as_floats("softmax", x=x)
    axis = check.axis("softmax", "x", x, axis)
    require(x.shape[axis] > 0, "softmax", f"axis {axis} must not have length 0", x=x)
    return cast(stable_softmax(x, axis), dtype)


def cross_entropy(
    logits: Float[ArrayLike[A], "... vocab_size"], targets: Int[AnyLike, "..."]
) -> Float[A, "..."]:
    """Measure how unexpected the target was: −log softmax(logits)[target].

    Parameters
    ----------
    logits : array, (..., vocab_size)
        Scores before softmax.
    targets : array of int, (...)
        The right id for each row of logits.

    Returns
    -------
    array, (...)
        In nats: 0 for certainty, log(vocab_size) for equal logits, inf for a target
        whose logit is −inf. A row with NaN or +inf in it gives NaN. Take the mean to
        get the loss of a batch.

    Examples
    --------
    >>> cross_entropy([[0.0, 0.0], [0.0, 100.0]], [1, 1]).round(4)
    array([0.6931, 0.    ])

    References
    ----------
    Goodfellow, Bengio and Courville (2016), Deep Learning, section 6.2.2.
    """
    operation = "cross_entropy"
    dtype, (logits,) = as_floats(operation, logits=logits)
    rule = "logits must have shape (..., vocab_size) with vocab_size of at least 1"
    require(logits.ndim > 0 and logits.shape[-1] > 0, operation, rule, logits=logits)
    _, (ids,) = as_arrays(operation, targets=targets)
    rule = "targets must have the shape of logits without its last axis"
    same = tuple(ids.shape) == tuple(logits.shape[:-1])
    require(same, operation, rule, logits=logits, targets=ids)
    ids = as_integers(operation, "targets", ids, logits.shape[-1] - 1)
    ids = join(operation, cast(ids, namespace(ids).int64), logits)
    xp = namespace(logits)
    chosen = xp.take_along_axis(logits, ids[..., None], axis=-1)
    largest = finite_max(logits)
    with np.errstate(invalid="ignore"):  # ∞ − ∞ is NaN, as it should be
        total = row_sum(xp.exp(logits - largest))
        loss = xp.log(xp.maximum(total, 1.0)) - (chosen - largest)
    return cast(loss[..., 0], dtype)


def stable_softmax(
    x: Float[Array, "..."], axis: int = -1, sinks: Array | None = None
) -> Any:
    """Do what `softmax` does, without checks. The weights of sinks are left out."""
    xp = namespace(x)
    largest = finite_max(x, axis)
    if sinks is not None:
        largest = xp.maximum(largest, sinks)
    # A difference may overflow to −∞, or be ∞ − ∞, which is NaN: both are intended.
    with np.errstate(over="ignore", invalid="ignore"):
        exps = xp.exp(x - largest)
    total = row_sum(exps, axis)
    if sinks is not None:
        total = total + xp.exp(sinks - largest)
    # A total is 0 where all scores are −∞; any other is at least exp(0).
    return exps / xp.maximum(total, 1.0)


def finite_max(x: Float[Array, "..."], axis: int = -1) -> Any:
    """Return the largest score, finite where all are −∞, as −∞ − (−∞) would be NaN."""
    xp = namespace(x)
    lowest = xp.finfo(x.dtype).min
    if type(x) is np.ndarray:  # for few numbers, far faster than NumPy's functions
        return np.maximum.reduce(x, axis=axis, keepdims=True, initial=lowest)
    return xp.maximum(xp.max(x, axis=axis, keepdims=True), lowest)


def row_sum(x: Array, axis: int = -1) -> Any:
    """Return the sum of each row, as a column."""
    if type(x) is np.ndarray:  # as in `finite_max`
        return np.add.reduce(x, axis=axis, keepdims=True)
    return namespace(x).sum(x, axis=axis, keepdims=True)
