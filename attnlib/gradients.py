"""Gradients: carry the gradient of a loss back through attention.

Each function here is a vector–Jacobian product: from the gradient of a loss with
respect to a function's output, it computes the gradient with respect to its inputs.
"""

from __future__ import annotations

from typing import Any, Unpack

from array_api_compat import is_numpy_array

from attnlib import _checks as check
from attnlib._arrays import as_floats, cast, matmul_heads, namespace, stack_groups
from attnlib._checks import require
from attnlib._fast import blocks, is_large
from attnlib._options import Keywords, Options, check_attention, with_keywords
from attnlib._types import A, Array, ArrayLike, Float
from attnlib.masks import apply_masks
from attnlib.probabilities import stable_softmax
from attnlib.scores import scale_by, scaled_scores


def softmax_vjp(
    weights: Float[ArrayLike[A], "..."],
    grad_weights: Float[ArrayLike[A], "..."],
    axis: int = -1,
) -> Float[A, "..."]:
    r"""Carry a gradient back through softmax, given the weights that it returned.

    The other `_vjp` functions take the inputs; here the output is enough.
    Softmax has the Jacobian :math:`\partial w_i / \partial s_j = w_i (\delta_{ij} -
    w_j)`, so the gradient of the scores is w · (g − Σ w g); no Jacobian is built.

    Parameters
    ----------
    weights : array, (..., n, ...)
        What softmax returned, not what it was given.
    grad_weights : array, the shape of weights
        The gradient with respect to the weights.
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    array, the shape of weights
        The gradient with respect to the scores; it sums to 0 along the axis.

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
    dtype, (weights, grad_weights) = as_floats(operation, **inputs)
    rule = "weights and grad_weights must have the same shape"
    same = tuple(weights.shape) == tuple(grad_weights.shape)
    require(same, operation, rule, weights=weights, grad_weights=grad_weights)
    axis = check.axis(operation, "weights", weights, axis)
    xp = namespace(weights)
    mean = xp.sum(weights * grad_weights, axis=axis, keepdims=True)
    return cast(weights * (grad_weights - mean), dtype)


@with_keywords
def attention_vjp(
    query: Float[ArrayLike[A], "... n_queries d_k"],
    key: Float[ArrayLike[A], "... n_keys d_k"],
    value: Float[ArrayLike[A], "... n_keys d_v"],
    grad_output: Float[ArrayLike[A], "... n_queries d_v"],
    *,
    block_size: int | None = None,
    **how: Unpack[Keywords],
) -> tuple[A, ...]:
    r"""Carry a gradient back through attention, to the queries, keys and values.

    With the weights :math:`W`, the output gradient :math:`G` and the gradient
    :math:`S` of the scaled scores,

    .. math::
        \nabla V = W^T G \qquad \nabla Q = S K / \sqrt{d_k} \qquad
        \nabla K = S^T Q / \sqrt{d_k}

    No weights are kept from the forward pass: they are computed again, a block of
    queries at a time. The memory needed beside inputs and gradients therefore grows
    with n_keys · block_size, and is two to four times that of `blockwise_attention`.

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
    key : array, (..., n_keys, d_k)
    value : array, (..., n_keys, d_v)
    grad_output : array, (..., n_queries, d_v)
        The gradient with respect to the output.
    mask, is_causal, scale, softcap, window, query_offset, enable_gqa, sinks
        As they were in `scaled_dot_product_attention`.
    block_size : int, optional
        Queries in a block; by default a number chosen for speed with NumPy arrays, and
        all of them with those of other libraries.

    Returns
    -------
    grad_query, grad_key, grad_value : array, the shapes of query, key and value
    grad_sinks : array, the shape of sinks
        Only if there are sinks.

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
    if block_size is not None:
        block_size = check.count(operation, "block_size", block_size)
    inputs = {"query": query, "key": key, "value": value, "grad_output": grad_output}
    dtype, arrays, options = check_attention(operation, inputs, how)
    query, key, value, grad_output = arrays
    shares = how.get("enable_gqa", False)
    batch = check.batch_shape(operation, shares, query=query, key=key, value=value)
    shape = (*batch, query.shape[-2], value.shape[-1])
    check.shape(operation, shape, grad_output=grad_output)
    is_long = is_numpy_array(query) and is_large(query, key)
    if is_long or block_size is not None:
        grads = _by_blocks(arrays, options, block_size)
    else:
        grads = _attention_vjp(arrays, options)
    if options.sinks is not None:
        grads[3] = grads[3][..., 0, 0]
    return tuple(cast(grad, dtype) for grad in grads)


def _attention_vjp(arrays: list[Any], options: Options) -> list[Any]:
    query, key, value, grad_output = arrays
    xp = namespace(query)
    weights, sink_weights, slope = _weigh_again(query, key, options)
    grad_weights = matmul_heads(grad_output, xp.matrix_transpose(value))
    mean = xp.vecdot(weights, grad_weights)[..., None]
    grad_scores = grad_weights  # softmax_vjp, in place where the library can
    grad_scores -= mean
    grad_scores *= weights
    grad_scores = scale_by(grad_scores, options.scale)
    grad_scores = grad_scores if slope is None else grad_scores * slope
    grad_query = matmul_heads(grad_scores, key)
    grad_key = _transposed_matmul(grad_scores, query, key)
    grad_value = _transposed_matmul(weights, grad_output, value)
    pairs = [(grad_query, query), (grad_key, key), (grad_value, value)]
    if options.sinks is not None:
        grad_sinks = xp.sum(-sink_weights * mean, axis=-2, keepdims=True)
        pairs.append((grad_sinks, options.sinks))
    return [_sum_to(grad, x) for grad, x in pairs]


def _weigh_again(query: Array, key: Array, options: Options) -> tuple[Any, Any, Any]:
    """Return the weights, those of the sinks or None, and the slope of the softcap."""
    scores = scaled_scores(query, key, options.scale, options.softcap)
    slope = None
    if options.softcap is not None:
        slope = 1 - (scores / options.softcap) ** 2  # the derivative of tanh: 1 − tanh²
    scores = apply_masks(scores, options.mask, options.window, options.query_offset)
    if options.sinks is None:
        return stable_softmax(scores), None, slope
    xp = namespace(scores)
    column = xp.broadcast_to(options.sinks, (*scores.shape[:-1], 1))
    weights = stable_softmax(xp.concat([scores, column], axis=-1))
    return weights[..., :-1], weights[..., -1:], slope


def _by_blocks(arrays: list[Any], options: Options, size: int | None) -> list[Any]:
    """Do what `_attention_vjp` does, a block of queries at a time."""
    inputs = [x for x in (*arrays[:3], options.sinks) if x is not None]
    grads = [namespace(x).zeros_like(x) for x in inputs]
    for rows, keys, part in blocks(arrays[0], arrays[1], options, size):
        pairs = zip(arrays, (rows, keys, keys, rows), strict=True)
        added = _attention_vjp([x[..., i, :] for x, i in pairs], part)
        places = (rows, keys, keys, slice(0, 1))  # the last is that of sinks
        grads = [_add_to_rows(*one) for one in zip(grads, places, added, strict=False)]
    return grads


def _add_to_rows(total: Array, rows: slice, part: Array) -> Any:
    """Add to some rows: in place with NumPy, which other libraries may not allow."""
    if is_numpy_array(total):
        total[..., rows, :] += part
        return total
    before, after = total[..., : rows.start, :], total[..., rows.stop :, :]
    sums = total[..., rows, :] + part
    return namespace(total).concat([before, sums, after], axis=-2)


def _transposed_matmul(a: Array, b: Array, shared: Array) -> Any:
    """Compute aᵀ b, summed over the heads that share one of `shared`.

    Their rows are stacked, so that one product does both.
    """
    has_heads = min(a.ndim, b.ndim, shared.ndim) > 2 and a.shape[-3] == b.shape[-3]
    if has_heads and a.shape[-3] > shared.shape[-3]:
        a, b = (stack_groups(x, shared.shape[-3]) for x in (a, b))
    return namespace(a).matrix_transpose(a) @ b


def _sum_to(gradient: Array, x: Array) -> Any:
    """Sum over the axes along which x was broadcast."""
    xp = namespace(x)
    while gradient.ndim > x.ndim:
        gradient = xp.sum(gradient, axis=0)
    for i, size in enumerate(x.shape):
        if gradient.shape[i] != size:
            gradient = xp.sum(gradient, axis=i, keepdims=True)
    return gradient
