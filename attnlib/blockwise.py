"""Attention by blocks of queries: the same result from far less memory."""

from __future__ import annotations

from typing import Unpack

from attnlib import _checks as check
from attnlib import _fast
from attnlib._arrays import cast
from attnlib._options import Keywords, check_attention, with_keywords
from attnlib._types import A, ArrayLike, Float


@with_keywords
def blockwise_attention(
    query: Float[ArrayLike[A], "... n_queries d_k"],
    key: Float[ArrayLike[A], "... n_keys d_k"],
    value: Float[ArrayLike[A], "... n_keys d_v"],
    *,
    block_size: int | None = None,
    **how: Unpack[Keywords],
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
    dtype, (query, key, value), options = check_attention(operation, inputs, how)
    return cast(_fast.attend(query, key, value, options, block_size), dtype)
