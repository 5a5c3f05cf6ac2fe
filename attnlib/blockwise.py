"""Attention by blocks of queries: all the numbers, never all at once."""

from __future__ import annotations

import math
from typing import Any

from array_api_compat import array_namespace, device

from attnlib._arrays import Array, ArrayLike, as_floats, cast
from attnlib._checks import (
    as_mask,
    check_count,
    check_mask,
    check_number,
    check_query_key,
    check_value,
)
from attnlib.masks import apply_mask, causal_mask

# A block of so many scores still fits into a processor's cache; with fewer rows than
# these, the matrix products are too thin to be fast.
SCORES_AT_ONCE, FEWEST_ROWS = 2**19, 32


def blockwise_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: Any = None,
    block_size: int | None = None,
) -> Array:
    """Attend as `scaled_dot_product_attention` does, a block of queries at a time.

    The scores of one block are forgotten before the next is begun, so the memory
    needed beside inputs and output grows with n_keys · block_size, and not with
    n_keys · n_queries. With `is_causal`, keys after a block's last query are skipped.

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
    key : array, (..., n_keys, d_k)
    value : array, (..., n_keys, d_v)
    mask, is_causal, scale
        As in `scaled_dot_product_attention`.
    block_size : int, optional
        Queries in a block; unless given, as many as a processor's cache can hold.

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
    inputs = {"query": query, "key": key, "value": value}
    _, dtype, (query, key, value) = as_floats(operation, **inputs)
    scores_shape = check_query_key(operation, query, key)
    check_value(operation, query, key, value)
    mask = as_mask(operation, mask, query)
    check_mask(operation, mask, scores_shape)
    if scale is not None:
        scale = check_number(operation, "scale", scale, positive=False)
    if block_size is not None:
        block_size = check_count(operation, "block_size", block_size)
    how = {"is_causal": is_causal, "scale": scale, "block_size": block_size}
    return cast(attend_by_blocks(query, key, value, mask, **how), dtype)


def attend_by_blocks(
    query: Array,
    key: Array,
    value: Array,
    mask: Array | None,
    *,
    is_causal: bool,
    scale: float | None,
    block_size: int | None = None,
) -> Array:
    """Do the work of `blockwise_attention` on arrays that have been checked."""
    xp, n_queries = array_namespace(query), query.shape[-2]
    size = block_size or _rows_at_once(query, key)
    # Scaling the query scales the scores, and there are far fewer numbers in it.
    query = query * (query.shape[-1] ** -0.5 if scale is None else scale)
    blocks = []
    for start in range(0, max(n_queries, 1), size):
        stop = min(start + size, n_queries)
        seen = min(max(stop, 1), key.shape[-2]) if is_causal else key.shape[-2]
        scores = query[..., start:stop, :] @ xp.matrix_transpose(key[..., :seen, :])
        if is_causal:
            allowed = causal_mask(scores.shape[-2], seen, offset=start)
            allowed = xp.asarray(allowed, device=device(scores))
            scores = apply_mask(scores, allowed, is_causal=False)
        scores = apply_mask(scores, _part(mask, start, stop, seen), is_causal=False)
        blocks.append(_mean(scores, value[..., :seen, :], value[..., seen:, :]))
    return xp.concat(blocks, axis=-2)


def _rows_at_once(query: Array, key: Array) -> int:
    """Choose how many queries make a block."""
    batch = max(math.prod(query.shape[:-2]), math.prod(key.shape[:-2]), 1)
    return max(SCORES_AT_ONCE // (batch * key.shape[-2]), FEWEST_ROWS)


def _part(mask: Array | None, start: int, stop: int, seen: int) -> Array | None:
    """Cut a mask to a block; an axis of length 1 broadcasts and stays."""
    if mask is not None and mask.ndim > 0 and mask.shape[-1] > 1:
        mask = mask[..., :seen]
    if mask is not None and mask.ndim > 1 and mask.shape[-2] > 1:
        mask = mask[..., start:stop, :]
    return mask


def _mean(scores: Array, value: Array, unseen: Array) -> Array:
    """Average values with the weights softmax(scores), in as few passes as it takes.

    Dividing the output by the sum of a row is dividing the row's weights by it.
    """
    xp = array_namespace(scores)
    largest = xp.max(scores, axis=-1, keepdims=True)
    largest = xp.where(largest == -math.inf, xp.zeros_like(largest), largest)
    largest = xp.where(largest == math.inf, xp.full_like(largest, math.nan), largest)
    powers = xp.exp(scores - largest)
    total = xp.sum(powers, axis=-1, keepdims=True)
    output = powers @ value / xp.where(total == 0, xp.ones_like(total), total)
    if not unseen.shape[-2]:
        return output
    # Adds 0, or NaN where a value of the future is not finite: 0 · inf is NaN.
    return output + xp.sum(0 * unseen, axis=-2, keepdims=True)
