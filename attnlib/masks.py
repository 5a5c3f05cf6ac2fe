"""Masks: which query may attend to which key."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import as_arrays, as_integers, cast, device_of, is_kind, namespace
from attnlib._types import A, Array, ArrayLike, Bool, Float, Int, Window


def causal_mask(
    n_queries: int,
    n_keys: int | None = None,
    *,
    query_offset: int = 0,
    offset: int | None = None,
) -> Bool[np.ndarray, "n_queries n_keys"]:
    """Allow query i to see the keys j ≤ i + query_offset: nothing from the future.

    Parameters
    ----------
    n_queries : int
    n_keys : int, optional
        As many as queries by default.
    query_offset : int
        How many keys came before the first query. With 0 the mask is aligned top-left,
        as `is_causal` is.
    offset : int, optional
        Deprecated: the former name of query_offset.

    Returns
    -------
    NumPy array of bool, (n_queries, n_keys)
        True = may attend. It can be combined with arrays of any library.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(2, 4, query_offset=2).shape
    (2, 4)
    """
    if offset is not None:
        check.renamed("causal_mask", "offset", "query_offset", until="0.2.0")
        query_offset = offset
    sizes = check_sizes("causal_mask", n_queries, n_keys, query_offset)
    return _window_mask((None, 0), *sizes)


def sliding_window_mask(
    n_queries: int, n_keys: int | None = None, *, window: Window, query_offset: int = 0
) -> Bool[np.ndarray, "n_queries n_keys"]:
    """Allow query i to see the keys near it: i − left … i + right.

    Parameters
    ----------
    n_queries : int
    n_keys : int, optional
        As many as queries by default.
    window : pair of int or None
        (left, right): how many keys before and after its own position a query sees;
        None leaves a side unlimited. (None, 0) is causal.
    query_offset : int
        The position of the first query among the keys.

    Returns
    -------
    NumPy array of bool, (n_queries, n_keys)
        True = may attend. It can be combined with arrays of any library.

    Examples
    --------
    >>> sliding_window_mask(4, window=(1, 0)).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])

    References
    ----------
    Beltagy et al. (2020), Longformer, section 3.1. The ONNX operator Attention (opset
    25) for left and right.
    """
    operation = "sliding_window_mask"
    sizes = check_sizes(operation, n_queries, n_keys, query_offset)
    return _window_mask(check.window(operation, window), *sizes)


def _window_mask(
    window: Window, n_queries: int, n_keys: int, offset: int
) -> Bool[np.ndarray, "n_queries n_keys"]:
    mask: np.ndarray = visible_keys(np.empty(0), n_queries, n_keys, window, offset)
    return mask


def padding_mask(
    lengths: Int[ArrayLike[A], "..."], n_keys: int
) -> Bool[A, "... 1 n_keys"]:
    """Hide the padding after the end of each sequence.

    Parameters
    ----------
    lengths : array of int, (...)
        How many tokens of each sequence are real.
    n_keys : int
        The length all sequences were padded to.

    Returns
    -------
    array of bool, (..., 1, n_keys)
        True = may attend. The axis of length 1 broadcasts over the queries. Queries
        with an axis of heads, (batch, n_heads, n, d), need a mask with one too,
        `mask[:, None]`: otherwise it is refused or, with as many heads as sequences,
        applied to the wrong axis. `MultiHeadAttention` adds the axis itself.

    Examples
    --------
    >>> padding_mask([1, 3], 3).astype(int)
    array([[[1, 0, 0]],
    <BLANKLINE>
           [[1, 1, 1]]])
    >>> padding_mask([1, 3], 3)[:, None].shape  # for every head
    (2, 1, 1, 3)
    """
    operation = "padding_mask"
    n_keys = check.count(operation, "n_keys", n_keys)
    xp, (lengths,) = as_arrays(operation, lengths=lengths)
    ends = as_integers(operation, "lengths", lengths, n_keys)[..., None, None]
    mask: A = xp.arange(n_keys, device=device_of(lengths)) < ends
    return mask


def check_sizes(
    operation: str, n_queries: Any, n_keys: Any, query_offset: Any
) -> tuple[int, int, int]:
    """Check what places a mask; by default there are as many keys as queries."""
    n_queries = check.count(operation, "n_queries", n_queries, minimum=0)
    n_keys = check.count(operation, "n_keys", n_queries if n_keys is None else n_keys)
    return n_queries, n_keys, check.position(operation, "query_offset", query_offset)


def visible_keys(
    like: Array,
    n_queries: int,
    n_keys: int,
    window: Window,
    offset: int | Int[Array, "..."],
) -> Any:
    """Mark the keys in each query's window: bool, (..., n_queries, n_keys).

    Query i is at position p = i + offset and sees the keys p − left … p + right. The
    result is of the library and device of `like`.
    """
    xp, device, (left, right) = namespace(like), device_of(like), window
    key = xp.arange(n_keys, device=device)
    query = xp.arange(n_queries, device=device)[:, None]
    if not isinstance(offset, int):
        offset = cast(offset, query.dtype)[..., None, None]
    position = query + offset  # (..., n_queries, 1)
    allowed = [] if left is None else [key >= position - left]
    allowed += [] if right is None else [key <= position + right]
    if not allowed:
        return xp.ones((n_queries, n_keys), dtype=xp.bool, device=device)
    return allowed[0] if len(allowed) == 1 else allowed[0] & allowed[1]


def apply_masks(
    scores: Float[Array, "... n_queries n_keys"],
    mask: Array | None,
    window: Window,
    query_offset: int | Int[Array, "..."],
) -> Any:
    """Set the scores of forbidden pairs to −∞, which softmax turns into weights of 0.

    The mask and the window must both allow a pair. A float mask is added to the
    scores, whose dtype stays as it is.
    """
    xp = namespace(scores)
    if mask is not None and is_kind(mask, "bool"):
        scores = xp.where(mask, scores, -math.inf)
    elif mask is not None:
        # A sum may overflow to −∞. Where the mask is −∞, it replaces even NaN.
        with np.errstate(over="ignore", invalid="ignore"):
            added = scores + mask
        scores = xp.where(mask == -math.inf, -math.inf, added)
    if window != (None, None):
        n_queries, n_keys = scores.shape[-2:]
        allowed = visible_keys(scores, n_queries, n_keys, window, query_offset)
        scores = xp.where(allowed, scores, -math.inf)
    return scores
