"""Attention by blocks of queries: all the numbers, never all at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_numpy_array

from attnlib._arrays import Array, ArrayLike, as_floats, cast, is_kind, place
from attnlib._checks import (
    Shape,
    as_mask,
    check_count,
    check_mask,
    check_number,
    check_query_key,
    check_value,
)
from attnlib.masks import apply_mask, causal_mask
from attnlib.softmax import exp, exponentials, shares

# More scores than these would want memory anew for every block, which takes longer than
# the arithmetic; with fewer rows than these, matrix products are too thin to be fast.
SCORES_AT_ONCE, FEWEST_ROWS = 2**21, 128
# Exponentials of scores up to this size are far from 0, and from overflow in float32,
# also when they multiply values up to that size.
CALM_SCORE, CALM_VALUE = 30.0, 1e15


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
        Queries in a block; unless given, as many as are fast: at least 128.

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
        block_size = check_count(operation, "block_size", block_size)
    how = {"mask": mask, "is_causal": is_causal, "scale": scale}
    return attend(operation, query, key, value, **how, block_size=block_size)


def attend(
    operation: str,
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    mask: ArrayLike | None,
    is_causal: bool,
    scale: Any,
    block_size: int | None = None,
) -> Array:
    """Check the input and attend by blocks, in the name of an operation."""
    inputs = {"query": query, "key": key, "value": value}
    _, dtype, (query, key, value) = as_floats(operation, **inputs)
    scores_shape = check_query_key(operation, query, key)
    check_value(operation, query, key, value)
    mask = as_mask(operation, mask, query)
    check_mask(operation, mask, scores_shape)
    if scale is None:
        scale = query.shape[-1] ** -0.5
    scale = check_number(operation, "scale", scale, positive=False)
    size = block_size or _rows_at_once(scores_shape)
    # Scaling the query scales the scores, and there are far fewer numbers in it.
    return cast(_by_blocks(scale * query, key, value, mask, is_causal, size), dtype)


def _by_blocks(
    query: Array,
    key: Array,
    value: Array,
    mask: Array | None,
    is_causal: bool,
    size: int,
) -> Array:
    """Attend with `size` queries at a time, and put the outputs together."""
    xp, n_queries = array_namespace(query), query.shape[-2]
    calm = _are_calm(query, key, value, mask)
    blocks = []
    for start in range(0, max(n_queries, 1), size):
        stop = min(start + size, n_queries)
        seen = min(max(stop, 1), key.shape[-2]) if is_causal else key.shape[-2]
        rows, part = query[..., start:stop, :], _part(mask, start, stop, seen)
        first = start if is_causal else None
        blocks.append(_one_block(rows, key[..., :seen, :], value, part, first, calm))
    return xp.concat(blocks, axis=-2)


def _one_block(
    query: Array,
    key: Array,
    value: Array,
    mask: Array | None,
    first: int | None,
    calm: bool,
) -> Array:
    """Attend with a block of queries; `first` says where it begins, if causal.

    What is as large as the scores is let go of on return, for the next block to reuse.
    """
    xp, seen = array_namespace(query), key.shape[-2]
    scores = query @ xp.matrix_transpose(key)
    if first is not None:
        allowed = causal_mask(scores.shape[-2], seen, offset=first)
        allowed = xp.asarray(allowed, device=place(scores))
        scores = apply_mask(scores, allowed, is_causal=False)
    scores = apply_mask(scores, mask, is_causal=False)
    powers = exp(scores) if calm else exponentials(scores, -1, spare=True)
    # A product with ones adds up rows faster than a sum does.
    total = powers @ xp.ones_like(key[..., :1])
    if calm:  # one division for an output is the same as one for each of its weights
        return shares(powers @ value[..., :seen, :], total)
    output = shares(powers, total) @ value[..., :seen, :]
    if seen == value.shape[-2]:
        return output
    # Adds 0, or NaN where a value of the future is not finite: 0 · inf is NaN.
    return output + xp.sum(0 * value[..., seen:, :], axis=-2, keepdims=True)


def _are_calm(query: Array, key: Array, value: Array, mask: Array | None) -> bool:
    """Tell whether exp may be taken without subtracting each row's maximum first.

    No score is larger than the longest query times the longest key (Cauchy, Schwarz).
    Only NumPy's numbers are looked at: others' may be far away, or not known yet.
    """
    if not is_numpy_array(query) or not (mask is None or is_kind(mask, "bool")):
        return False
    with np.errstate(all="ignore"):  # NaN and what overflows is not calm
        lengths = [
            np.max(np.linalg.vecdot(x, x), initial=0) ** 0.5 for x in (query, key)
        ]
        most = np.max(np.abs(value), initial=0)
        return bool(lengths[0] * lengths[1] <= CALM_SCORE and most <= CALM_VALUE)


def _rows_at_once(scores_shape: Shape) -> int:
    """Choose how many queries make a block."""
    *batch, _, n_keys = scores_shape
    return max(SCORES_AT_ONCE // max(math.prod(batch) * n_keys, 1), FEWEST_ROWS)


def _part(mask: Array | None, start: int, stop: int, seen: int) -> Array | None:
    """Cut a mask to a block; an axis of length 1 broadcasts and stays."""
    if mask is not None and mask.ndim > 0 and mask.shape[-1] > 1:
        mask = mask[..., :seen]
    if mask is not None and mask.ndim > 1 and mask.shape[-2] > 1:
        mask = mask[..., start:stop, :]
    return mask
