"""Attention by blocks of queries: the same result from far less memory."""

from __future__ import annotations

from attnlib import _checks as check
from attnlib import _fast
from attnlib._arrays import cast
from attnlib._options import check_attention
from attnlib._types import A, ArrayLike, Float, Int, Mask, Window


def blockwise_attention(
    query: Float[ArrayLike[A], "... n_queries d_k"],
    key: Float[ArrayLike[A], "... n_keys d_k"],
    value: Float[ArrayLike[A], "... n_keys d_v"],
    *,
    mask: Mask = None,
    is_causal: bool = False,
    scale: float | None = None,
    softcap: float | None = None,
    window: Window | None = None,
    query_offset: int | Int[ArrayLike[A], "..."] = 0,
    enable_gqa: bool = False,
    sinks: Float[ArrayLike[A], "..."] | None = None,
    block_size: int | None = None,
) -> Float[A, "... n_queries d_v"]:
    """Attend as `scaled_dot_product_attention` does, a block of queries at a time.

    The scores of one block are freed before the next begins, so the memory needed
    beside inputs and output grows with n_keys · block_size, not with n_keys ·
    n_queries. Keys that no query of a block may see, because of the window or
    `is_causal`, are not scored: with a window, time grows with n_queries ·
    (block_size + window).

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
    key : array, (..., n_keys, d_k)
    value : array, (..., n_keys, d_v)
    mask, is_causal, scale, softcap, window, query_offset, enable_gqa, sinks
        As in `scaled_dot_product_attention`.
    block_size : int, optional
        Queries in a block; by default a number chosen for speed, at least 128.

    Returns
    -------
    array, (..., n_queries, d_v)
        Equal to `scaled_dot_product_attention` up to rounding, for every block size.

    Raises
    ------
    ValueError
        As in `scaled_dot_product_attention`, and if block_size is not an integer of at
        least 1.

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((2, 3, 5)), np.ones((2, 7, 5)), np.ones((2, 7, 11))
    >>> blockwise_attention(query, key, value, block_size=2).shape
    (2, 3, 11)

    References
    ----------
    Rabe and Staats (2021), Self-attention Does Not Need O(n²) Memory, section 3.
    """
    operation = "blockwise_attention"
    if block_size is not None:
        block_size = check.count(operation, "block_size", block_size)
    inputs = {"query": query, "key": key, "value": value}
    dtype, (query, key, value), options = check_attention(
        operation,
        inputs,
        mask=mask,
        is_causal=is_causal,
        scale=scale,
        softcap=softcap,
        window=window,
        query_offset=query_offset,
        enable_gqa=enable_gqa,
        sinks=sinks,
    )
    return cast(_fast.attend(query, key, value, options, block_size), dtype)
