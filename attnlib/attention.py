"""Scaled dot-product attention: weights from queries and keys, a mean of values."""

from __future__ import annotations

from typing import Any, Unpack

from attnlib import _fast
from attnlib._arrays import cast, matmul_heads
from attnlib._options import Keywords, Options, check_attention, with_keywords
from attnlib._types import A, Array, ArrayLike, Float
from attnlib.masks import apply_masks
from attnlib.probabilities import stable_softmax
from attnlib.scores import scaled_scores


@with_keywords
def attention_weights(
    query: Float[ArrayLike[A], "... n_queries d_k"],
    key: Float[ArrayLike[A], "... n_keys d_k"],
    **how: Unpack[Keywords],
) -> Float[A, "... n_queries n_keys"]:
    """Compute how much every query attends to every key: softmax(QKᵀ / √d_k).

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
    key : array, (..., n_keys, d_k)
    mask : array, broadcasting to (..., n_queries, n_keys), optional
        Boolean: True = may attend. Floating: added to the scaled scores; −inf forbids.
    is_causal : bool
        Query i may attend to the keys j ≤ i only. With a mask, both must allow a pair.
    scale : number, optional
        Multiplies the scores; 1/√d_k by default.
    softcap : number, optional
        Positive. Scaled scores s become softcap · tanh(s / softcap) before any mask.
    window : pair of int or None, optional
        With (left, right), query i may attend to the keys i − left … i + right only;
        None leaves a side unlimited.
    query_offset : int or array of int, broadcasting to the batch axes
        The position of the first query among the keys, for `is_causal` and `window`:
        query i is at position i + query_offset. With a cache, it is the number of keys
        cached before.
    enable_gqa : bool
        Let query have a multiple of key's heads (axis −3); each key head then serves
        several consecutive query heads (grouped-query attention).
    sinks : number or array, broadcasting to the batch axes, optional
        An extra score in every row, unaffected by mask, scale and softcap. Its share
        of the weights is left out of the result. With shape (n_heads,), every head has
        its own.

    Returns
    -------
    array, (..., n_queries, n_keys)
        Every row sums to 1, up to rounding, or to less with a sink; a forbidden pair
        has weight exactly 0. A query that may attend to nothing gets a row of zeros,
        and so does one whose scores all overflow to −inf; a score that overflows to
        +inf makes its row NaN.

    Raises
    ------
    ValueError
        If d_k differs, there are no keys, batch dimensions do not broadcast, the mask
        is neither boolean nor floating or does not broadcast to the scores, or a
        keyword is out of its range.

    Examples
    --------
    >>> attention_weights([[1.0, 0.0]], [[0.0, 1.0], [0.0, 2.0]], mask=[True, False])
    array([[1., 0.]])

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, equation 1. The ONNX operator
    Attention (opset 25) for the keywords. OpenAI (2025), gpt-oss, section 2.2, for
    sinks.
    """
    inputs = {"query": query, "key": key}
    dtype, (query, key), options = check_attention("attention_weights", inputs, how)
    return cast(weigh(query, key, options), dtype)


@with_keywords
def scaled_dot_product_attention(
    query: Float[ArrayLike[A], "... n_queries d_k"],
    key: Float[ArrayLike[A], "... n_keys d_k"],
    value: Float[ArrayLike[A], "... n_keys d_v"],
    **how: Unpack[Keywords],
) -> Float[A, "... n_queries d_v"]:
    r"""Compute a weighted mean of the values for every query.

    .. math:: \mathrm{Attention}(Q, K, V) = \mathrm{softmax}(Q K^T / \sqrt{d_k}) V

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
        Q in the paper.
    key : array, (..., n_keys, d_k)
        K in the paper.
    value : array, (..., n_keys, d_v)
        V in the paper. A value of inf or NaN reaches even the queries that may not
        attend to it, since 0 · inf is NaN.
    mask, is_causal, scale, softcap, window, query_offset, enable_gqa, sinks
        As in `attention_weights`.

    Returns
    -------
    array, (..., n_queries, d_v)
        A query that may attend to nothing gets zeros.

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((2, 3, 5)), np.ones((2, 7, 5)), np.ones((2, 7, 11))
    >>> scaled_dot_product_attention(query, key, value).shape
    (2, 3, 11)

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, equation 1.
    """
    inputs = {"query": query, "key": key, "value": value}
    dtype, (query, key, value), options = check_attention(
        "scaled_dot_product_attention", inputs, how
    )
    if _fast.is_large(query, key):  # the same numbers, a block of queries at a time
        output = _fast.attend(query, key, value, options)
    else:
        scores = scaled_scores(query, key, options.scale, options.softcap)
        scores = apply_masks(scores, options.mask, options.window, options.query_offset)
        weights = stable_softmax(scores, sinks=options.sinks)
        output = matmul_heads(weights, value)
    return cast(output, dtype)


def attend(query: Array, key: Array, value: Array, options: Options) -> Any:
    """Do what `scaled_dot_product_attention` does, without checks."""
    if _fast.is_large(query, key):
        return _fast.attend(query, key, value, options)
    return matmul_heads(weigh(query, key, options), value)


def weigh(query: Array, key: Array, options: Options) -> Any:
    """Do what `attention_weights` does, without checks."""
    scores = scaled_scores(query, key, options.scale, options.softcap)
    scores = apply_masks(scores, options.mask, options.window, options.query_offset)
    return stable_softmax(scores, sinks=options.sinks)
