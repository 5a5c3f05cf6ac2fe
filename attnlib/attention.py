"""Scaled dot-product attention: weights from queries and keys, a mean of values."""

from __future__ import annotations

from typing import Any

from attnlib._arrays import Array, ArrayLike, as_floats, cast
from attnlib._checks import (
    as_mask,
    check_mask,
    check_number,
    check_query_key,
)
from attnlib.blockwise import attend
from attnlib.masks import apply_mask
from attnlib.scores import dot_product_scores, scale_scores
from attnlib.softmax import softmax


def attention_weights(
    query: ArrayLike,
    key: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: Any = None,
) -> Array:
    """Say how much every query attends to every key: softmax(QKᵀ / √d_k).

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
    key : array, (..., n_keys, d_k)
    mask : array, broadcasting to (..., n_queries, n_keys), optional
        Boolean: True = may attend. Floating: added to the scaled scores; −inf forbids.
    is_causal : bool
        Query i may attend to the keys j ≤ i only. With a mask, both must allow.
    scale : number, optional
        Multiplies the scores; 1/√d_k unless given.

    Returns
    -------
    array, (..., n_queries, n_keys)
        Every row sums to 1; a forbidden pair has weight exactly 0. A query that may
        attend to nothing has a row of zeros.

    Raises
    ------
    ValueError
        If d_k differs, there are no keys, batch dimensions do not broadcast, or the
        mask is neither boolean nor floating or does not broadcast to the scores.

    Examples
    --------
    >>> attention_weights([[1.0, 0.0]], [[0.0, 1.0], [0.0, 2.0]], mask=[True, False])
    array([[1., 0.]])

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, equation 1.
    """
    operation = "attention_weights"
    _, dtype, (query, key) = as_floats(operation, query=query, key=key)
    scores_shape = check_query_key(operation, query, key)
    mask = as_mask(operation, mask, query)
    check_mask(operation, mask, scores_shape)
    scores = apply_mask(_scaled(operation, query, key, scale), mask, is_causal)
    return cast(softmax(scores), dtype)


def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: Any = None,
) -> Array:
    r"""Give every query a weighted mean of the values.

    .. math:: \mathrm{Attention}(Q, K, V) = \mathrm{softmax}(Q K^T / \sqrt{d_k}) V

    That is `attention_weights(query, key) @ value`. The weights are not returned, so
    long inputs take them a block of queries at a time, as `blockwise_attention` does.

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
        Q in the paper.
    key : array, (..., n_keys, d_k)
        K in the paper.
    value : array, (..., n_keys, d_v)
        V in the paper. A value of inf or NaN reaches even the queries that may not
        attend to it, since 0 · inf is NaN; so it is in PyTorch.
    mask, is_causal, scale
        As in `attention_weights`.

    Returns
    -------
    array, (..., n_queries, d_v)
        A query that may attend to nothing gets zeros.

    Raises
    ------
    ValueError
        As in `attention_weights`, and if n_keys of key and value differ or d_v is 0.

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
    how = {"mask": mask, "is_causal": is_causal, "scale": scale}
    return attend("scaled_dot_product_attention", query, key, value, **how)


def _scaled(operation: str, query: Array, key: Array, scale: Any) -> Array:
    """Compute the scores, scaled by 1/√d_k or as asked."""
    if scale is None:
        return scale_scores(dot_product_scores(query, key), query.shape[-1])
    scale = check_number(operation, "scale", scale, positive=False)
    return scale * dot_product_scores(query, key)
