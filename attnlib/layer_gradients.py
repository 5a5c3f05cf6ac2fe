"""Gradients of the norms, the feed-forward network and the loss.

Each function takes the inputs of the function it is named after, then the gradient of
a loss with respect to what that function returned. It returns a gradient for every
array, and None for an array that is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from attnlib import _checks as check
from attnlib._arrays import as_floats, cast, device_of, namespace
from attnlib._checks import require
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Inputs, Int
from attnlib.mlp import (
    check_feed_forward,
    check_gated,
    gelu,
    logistic,
    normal_cdf,
    relu,
    silu,
)
from attnlib.norms import check_norm, standardize, to_unit_rms
from attnlib.probabilities import check_targets, stable_softmax
from attnlib.projections import linear


def layer_norm_vjp(
    x: Float[ArrayLike[A], "... d"],
    gain: Float[ArrayLike[A], " d"],
    bias: Float[ArrayLike[A], " d"] | None,
    grad_output: Float[ArrayLike[A], "... d"],
    *,
    eps: float = 1e-5,
) -> tuple[Float[A, "... d"], Float[A, " d"], Float[A, " d"]]:
    r"""Carry a gradient back through `layer_norm`, to the rows, the gain and the bias.

    With the normalized rows :math:`n`, the divisor :math:`\sigma = \sqrt{variance +
    eps}`, the gradient :math:`g` of the output and :math:`h = gain \cdot g`,

    .. math:: \nabla x = (h - \mathrm{mean}(h) - n \, \mathrm{mean}(h n)) / \sigma

    Parameters
    ----------
    x, gain, bias, eps
        As they were in `layer_norm`.
    grad_output : array, (..., d)

    Returns
    -------
    grad_x, grad_gain, grad_bias : array, the shapes of x, gain and bias

    Raises
    ------
    ValueError
        As in `layer_norm`, and if grad_output does not have the shape of x.

    Examples
    --------
    >>> x, gain, bias = [[1.0, 3.0, 8.0]], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]
    >>> grad_x, grad_gain, grad_bias = layer_norm_vjp(x, gain, bias, [[1.0, 0.0, 0.0]])
    >>> grad_x.round(4)
    array([[ 0.1089, -0.1524,  0.0435]])
    """
    operation = "layer_norm_vjp"
    inputs: Inputs[A] = {"x": x, "gain": gain, "bias": bias}
    inputs |= {"grad_output": grad_output}
    check.eps(operation, eps)
    dtype, (x, gain, bias, grad) = as_floats(operation, ("bias",), **inputs)
    check_norm(operation, x, gain=gain, bias=bias)
    check.grad_output(operation, "x", tuple(x.shape), grad)
    xp = namespace(x)
    (normal, root), scaled = standardize(x, eps), gain * grad
    mean = xp.mean(scaled, axis=-1, keepdims=True)
    shared = xp.mean(scaled * normal, axis=-1, keepdims=True)
    grad_x = (scaled - mean - normal * shared) / root
    grad_bias = None if bias is None else _sum_rows(grad)
    grads: tuple[A, A, A]
    grads = _cast_all(dtype, grad_x, _sum_rows(grad * normal), grad_bias)
    return grads


def rms_norm_vjp(
    x: Float[ArrayLike[A], "... d"],
    gain: Float[ArrayLike[A], " d"] | None,
    grad_output: Float[ArrayLike[A], "... d"],
    *,
    eps: float = 1e-5,
) -> tuple[Float[A, "... d"], Float[A, " d"]]:
    r"""Carry a gradient back through `rms_norm`, to the rows and the gain.

    With the normalized rows :math:`n`, the divisor
    :math:`\rho = \sqrt{\mathrm{mean}(x^2) + eps}`, the gradient
    :math:`g` of the output and :math:`h = gain \cdot g`,

    .. math:: \nabla x = (h - n \, \mathrm{mean}(h n)) / \rho

    Parameters
    ----------
    x, gain, eps
        As they were in `rms_norm`.
    grad_output : array, (..., d)

    Returns
    -------
    grad_x, grad_gain : array, the shapes of x and gain

    Raises
    ------
    ValueError
        As in `rms_norm`, and if grad_output does not have the shape of x.

    Examples
    --------
    >>> grad_x, _ = rms_norm_vjp([[1.0, 7.0]], None, [[25.0, 0.0]], eps=0.0)
    >>> grad_x.round(4)
    array([[ 4.9, -0.7]])
    """
    operation = "rms_norm_vjp"
    inputs: Inputs[A] = {"x": x, "gain": gain, "grad_output": grad_output}
    check.eps(operation, eps)
    dtype, (x, gain, grad) = as_floats(operation, ("gain",), **inputs)
    check_norm(operation, x, gain=gain)
    check.grad_output(operation, "x", tuple(x.shape), grad)
    xp = namespace(x)
    (normal, root), scaled = to_unit_rms(x, eps), grad if gain is None else gain * grad
    shared = xp.mean(scaled * normal, axis=-1, keepdims=True)
    grad_gain = None if gain is None else _sum_rows(grad * normal)
    grads: tuple[A, A]
    grads = _cast_all(dtype, (scaled - normal * shared) / root, grad_gain)
    return grads


def feed_forward_vjp(
    x: Float[ArrayLike[A], "... n_tokens d_model"],
    w_1: Float[ArrayLike[A], "d_model d_ff"],
    b_1: Float[ArrayLike[A], " d_ff"] | None,
    w_2: Float[ArrayLike[A], "d_ff d_out"],
    b_2: Float[ArrayLike[A], " d_out"] | None,
    grad_output: Float[ArrayLike[A], "... n_tokens d_out"],
    *,
    activation: Callable[[Array], Array] = relu,
) -> tuple[A, A, A, A, A]:
    """Carry a gradient back through `feed_forward`, to the rows and the weights.

    Parameters
    ----------
    x, w_1, b_1, w_2, b_2
        As they were in `feed_forward`.
    grad_output : array, (..., n_tokens, d_out)
    activation : `relu`, `gelu` or `silu`

    Returns
    -------
    grad_x, grad_w_1, grad_b_1, grad_w_2, grad_b_2 : array, the shapes of the inputs

    Raises
    ------
    ValueError
        As in `feed_forward`, if grad_output does not have the shape of the output, or
        the activation is none of these three.

    Examples
    --------
    >>> import numpy as np
    >>> inputs = np.ones((5, 4)), np.ones((4, 16)), None, np.ones((16, 3)), np.ones(3)
    >>> grads = feed_forward_vjp(*inputs, np.ones((5, 3)))
    >>> [None if grad is None else grad.shape for grad in grads]
    [(5, 4), (4, 16), None, (16, 3), (3,)]
    """
    operation = "feed_forward_vjp"
    inputs: Inputs[A] = {"x": x, "w_1": w_1, "b_1": b_1, "w_2": w_2, "b_2": b_2}
    inputs |= {"grad_output": grad_output}
    dtype, (x, *network, grad) = as_floats(operation, ("b_1", "b_2"), **inputs)
    w_1, b_1, w_2, b_2 = network
    check_feed_forward(operation, w_1, b_1, w_2, b_2, activation)
    check.product(operation, x, w_1=w_1)
    check.grad_output(operation, "the output", (*x.shape[:-1], w_2.shape[1]), grad)
    slope = _slope_of(operation, activation)
    before = linear(x, w_1, b_1)
    grad_w_2 = _outer(activation(before), grad)
    grad_before = (grad @ namespace(x).matrix_transpose(w_2)) * slope(before)
    grads: tuple[A, A, A, A, A] = _cast_all(
        dtype,
        grad_before @ namespace(x).matrix_transpose(w_1),
        _outer(x, grad_before),
        None if b_1 is None else _sum_rows(grad_before),
        grad_w_2,
        None if b_2 is None else _sum_rows(grad),
    )
    return grads


def gated_feed_forward_vjp(
    x: Float[ArrayLike[A], "... n_tokens d_model"],
    w_gate: Float[ArrayLike[A], "d_model d_ff"],
    w_up: Float[ArrayLike[A], "d_model d_ff"],
    w_down: Float[ArrayLike[A], "d_ff d_out"],
    grad_output: Float[ArrayLike[A], "... n_tokens d_out"],
    *,
    activation: Callable[[Array], Array] = silu,
) -> tuple[A, A, A, A]:
    """Carry a gradient back through `gated_feed_forward`, to the rows and the weights.

    Parameters
    ----------
    x, w_gate, w_up, w_down
        As they were in `gated_feed_forward`.
    grad_output : array, (..., n_tokens, d_out)
    activation : `relu`, `gelu` or `silu`

    Returns
    -------
    grad_x, grad_w_gate, grad_w_up, grad_w_down : array, the shapes of the inputs

    Raises
    ------
    ValueError
        As in `gated_feed_forward`, if grad_output does not have the shape of the
        output, or the activation is none of these three.
    """
    operation = "gated_feed_forward_vjp"
    inputs = {"x": x, "w_gate": w_gate, "w_up": w_up, "w_down": w_down}
    inputs |= {"grad_output": grad_output}
    dtype, (x, w_gate, w_up, w_down, grad) = as_floats(operation, **inputs)
    check_gated(operation, w_gate, w_up, w_down, activation)
    check.product(operation, x, w_gate=w_gate)
    check.grad_output(operation, "the output", (*x.shape[:-1], w_down.shape[1]), grad)
    slope, transposed = _slope_of(operation, activation), namespace(x).matrix_transpose
    before, up = x @ w_gate, x @ w_up
    gate = activation(before)
    grad_hidden = grad @ transposed(w_down)
    grad_before, grad_up = grad_hidden * up * slope(before), grad_hidden * gate
    grads: tuple[A, A, A, A] = _cast_all(
        dtype,
        grad_before @ transposed(w_gate) + grad_up @ transposed(w_up),
        _outer(x, grad_before),
        _outer(x, grad_up),
        _outer(gate * up, grad),
    )
    return grads


def cross_entropy_vjp(
    logits: Float[ArrayLike[A], "... vocab_size"],
    targets: Int[AnyLike, "..."],
    grad_output: Float[ArrayLike[A], "..."],
) -> Float[A, "... vocab_size"]:
    """Carry a gradient back through `cross_entropy`, to the logits.

    It is (softmax(logits) − one_hot(targets)) · grad_output.

    Parameters
    ----------
    logits : array, (..., vocab_size)
    targets : array of int, (...)
    grad_output : array, (...)
        To minimize the mean of n losses, 1/n for each.

    Returns
    -------
    array, (..., vocab_size)

    Raises
    ------
    ValueError
        As in `cross_entropy`, and if grad_output does not have the shape of targets.

    Examples
    --------
    >>> cross_entropy_vjp([[0.0, 0.0]], [1], [1.0])
    array([[ 0.5, -0.5]])
    """
    operation = "cross_entropy_vjp"
    dtype, logits, ids, (grad,) = check_targets(
        operation, logits, targets, grad_output=grad_output
    )
    check.grad_output(operation, "targets", tuple(ids.shape), grad)
    xp = namespace(logits)
    columns = xp.arange(logits.shape[-1], device=device_of(logits))
    one_hot = cast(ids[..., None] == columns, logits.dtype)
    return cast((stable_softmax(logits) - one_hot) * grad[..., None], dtype)


def _slope_of(operation: str, activation: Any) -> Callable[[Array], Any]:
    """Return the derivative of an activation."""
    known = {relu: _relu_slope, gelu: _gelu_slope, silu: _silu_slope}
    rule = "activation must be relu, gelu or silu"
    require(activation in known, operation, rule, activation=activation)
    return known[activation]


def _relu_slope(x: Array) -> Any:
    return cast(x > 0, x.dtype)


def _silu_slope(x: Array) -> Any:
    """Differentiate x σ(x): σ(x) + x σ(x) (1 − σ(x)), where 1 − σ(x) = σ(−x)."""
    finite = namespace(x).where(namespace(x).isinf(x), 0.0, x)
    return logistic(x) + finite * logistic(x) * logistic(-x)


def _gelu_slope(x: Array) -> Any:
    """Differentiate x Φ(x): Φ(x) + x φ(x), with the normal distribution and density."""
    xp = namespace(x)
    density = xp.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return normal_cdf(x) + xp.where(xp.isinf(x), 0.0, x) * density


def _outer(x: Array, grad: Array) -> Any:
    """Compute xᵀ grad, summed over the batch: the gradient of w in x @ w."""
    xp = namespace(x)
    x, grad = (xp.reshape(a, (-1, a.shape[-1])) for a in (x, grad))
    return xp.matrix_transpose(x) @ grad


def _sum_rows(grad: Array) -> Any:
    """Sum over all axes but the last."""
    return namespace(grad).sum(grad, axis=tuple(range(grad.ndim - 1)))


def _cast_all(dtype: Any, *grads: Array | None) -> Any:
    return tuple(None if grad is None else cast(grad, dtype) for grad in grads)
