"""Gradients: how a change of the output travels back through attention.

Each function here is a vector–Jacobian product. Given the gradient of some loss with
respect to what a function returns, it gives the gradient with respect to its inputs.
"""

from __future__ import annotations

from typing import Any

from array_api_compat import array_namespace

from attnlib._arrays import Array, ArrayLike, as_floats, cast
from attnlib._checks import (
    as_mask,
    check_batch,
    check_integer,
    check_mask,
    check_number,
    check_query_key,
    check_value,
    require,
)
from attnlib.attention import attention_weights


def softmax_vjp(weights: ArrayLike, grad_weights: ArrayLike, axis: int = -1) -> Array:
    r"""Carry a gradient back through softmax, from the weights to the scores.

    Softmax has the Jacobian :math:`\partial w_i / \partial s_j = w_i (\delta_{ij} -
    w_j)`, so the gradient of the scores is w · (g − Σ w g). The Jacobian itself is
    never built.

    Parameters
    ----------
    weights : array, (..., n, ...)
        What softmax returned.
    grad_weights : array, the shape of weights
        The gradient with respect to the weights.
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    array, the shape of weights
        The gradient with respect to the scores; it sums to 0 along the axis.

    Raises
    ------
    ValueError
        If the shapes differ, or there is no such axis.

    Examples
    --------
    >>> softmax_vjp([0.5, 0.5], [1.0, 0.0])
    array([ 0.25, -0.25])

    References
    ----------
    Goodfellow, Bengio and Courville (2016), Deep Learning, section 6.5.
    """
    operation = "softmax_vjp"
    inputs = {"weights": weights, "grad_weights": grad_weights}
    xp, dtype, (weights, grad) = as_floats(operation, **inputs)
    rule = "weights and grad_weights must have the same shape"
    both = {"weights": weights, "grad_weights": grad}
    require(tuple(weights.shape) == tuple(grad.shape), operation, rule, **both)
    axis = check_integer(operation, "axis", axis)
    rule = f"weights has no axis {axis}"
    require(-weights.ndim <= axis < weights.ndim, operation, rule, weights=weights)
    mean = xp.sum(weights * grad, axis=axis, keepdims=True)
    return cast(weights * (grad - mean), dtype)


def attention_vjp(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    grad_output: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: Any = None,
) -> tuple[Array, Array, Array]:
    r"""Carry a gradient back through attention, to the queries, keys and values.

    With the weights :math:`W`, the output gradient :math:`G` and the gradient
    :math:`S` of the scaled scores,

    .. math::
        \nabla V = W^T G \qquad \nabla Q = S K / \sqrt{d_k} \qquad
        \nabla K = S^T Q / \sqrt{d_k}

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
    key : array, (..., n_keys, d_k)
    value : array, (..., n_keys, d_v)
    grad_output : array, (..., n_queries, d_v)
        The gradient with respect to the output.
    mask, is_causal, scale
        As they were in `scaled_dot_product_attention`.

    Returns
    -------
    grad_query, grad_key, grad_value : array, the shapes of query, key and value

    Raises
    ------
    ValueError
        As in `scaled_dot_product_attention`, and if grad_output does not have the
        shape of the output.

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((3, 5)), np.ones((7, 5)), np.ones((7, 11))
    >>> [g.shape for g in attention_vjp(query, key, value, np.ones((3, 11)))]
    [(3, 5), (7, 5), (7, 11)]

    References
    ----------
    Dao et al. (2022), FlashAttention, appendix B.2.
    """
    operation = "attention_vjp"
    inputs = {"query": query, "key": key, "value": value, "grad_output": grad_output}
    xp, dtype, (query, key, value, grad) = as_floats(operation, **inputs)
    how = {"mask": mask, "is_causal": is_causal, "scale": scale}
    _check(operation, query, key, value, grad, **how)
    weights = attention_weights(query, key, **how)
    grad_weights = grad @ xp.matrix_transpose(value)
    grad_scores = softmax_vjp(*xp.broadcast_arrays(weights, grad_weights))
    grad_scores = grad_scores * (query.shape[-1] ** -0.5 if scale is None else scale)
    grad_query = grad_scores @ key
    grad_key = xp.matrix_transpose(grad_scores) @ query
    grad_value = xp.matrix_transpose(weights) @ grad
    pairs = ((grad_query, query), (grad_key, key), (grad_value, value))
    return tuple(cast(_sum_to(gradient, x), dtype) for gradient, x in pairs)


def _check(
    operation: str,
    query: Array,
    key: Array,
    value: Array,
    grad_output: Array,
    *,
    mask: ArrayLike | None,
    is_causal: bool,
    scale: Any,
) -> None:
    scores_shape = check_query_key(operation, query, key)
    check_value(operation, query, key, value)
    check_mask(operation, as_mask(operation, mask, query), scores_shape)
    if scale is not None:
        check_number(operation, "scale", scale, positive=False)
    batch = check_batch(operation, query=query, key=key, value=value)
    output = (*batch, query.shape[-2], value.shape[-1])
    rule = f"grad_output must have the shape of the output, {output}"
    fits = tuple(grad_output.shape) == output
    require(fits, operation, rule, grad_output=grad_output)


def _sum_to(gradient: Array, x: Array) -> Array:
    """Sum over the batch dimensions along which x was broadcast."""
    xp = array_namespace(x)
    while gradient.ndim > x.ndim:
        gradient = xp.sum(gradient, axis=0)
    for i, size in enumerate(x.shape):
        if gradient.shape[i] != size:
            gradient = xp.sum(gradient, axis=i, keepdims=True)
    return gradient
