"""Masks: which query may attend to which key."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from attnlib._arrays import Array, ArrayLike, as_arrays, cast, is_kind, place
from attnlib._checks import check_count, check_integer, check_integers


def causal_mask(n_queries: int, n_keys: int | None = None, *, offset: int = 0) -> Array:
    """Let query i see the keys j ≤ i + offset: nothing from the future.

    Parameters
    ----------
    n_queries : int
    n_keys : int, optional
        As many as queries unless given.
    offset : int
        How many keys came before the first query. With 0 the mask is aligned top-left,
        as `is_causal` is.

    Returns
    -------
    NumPy array of bool, (n_queries, n_keys)
        True = may attend. It is understood beside arrays of any library.

    Raises
    ------
    ValueError
        If a size is not an integer, n_queries is negative, or n_keys is less than 1.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(2, 4, offset=2).shape
    (2, 4)
    """
    operation = "causal_mask"
    n_queries = check_count(operation, "n_queries", n_queries, least=0)
    n_keys = check_count(operation, "n_keys", n_queries if n_keys is None else n_keys)
    offset = check_integer(operation, "offset", offset)
    return np.arange(n_keys) <= np.arange(n_queries)[:, None] + offset


def padding_mask(lengths: ArrayLike, n_keys: int) -> Array:
    """Let nobody see the padding after the end of a sequence.

    Parameters
    ----------
    lengths : array of int, (...)
        How many tokens of each sequence are real.
    n_keys : int
        The length all sequences were padded to.

    Returns
    -------
    array of bool, (..., 1, n_keys)
        True = may attend. The axis of length 1 broadcasts over the queries.

    Raises
    ------
    ValueError
        If lengths are not integers from 0 to n_keys.

    Examples
    --------
    >>> padding_mask([1, 3], 3).astype(int)
    array([[[1, 0, 0]],
    <BLANKLINE>
           [[1, 1, 1]]])
    """
    operation = "padding_mask"
    n_keys = check_count(operation, "n_keys", n_keys)
    xp, (lengths,) = as_arrays(operation, lengths=lengths)
    lengths = check_integers(operation, "lengths", lengths, n_keys)
    return xp.arange(n_keys, device=place(lengths)) < lengths[..., None, None]


def apply_mask(scores: Array, mask: Array | None, is_causal: bool) -> Array:
    """Set the scores of forbidden pairs to −inf, for softmax to make 0.

    Parameters
    ----------
    scores : array, (..., n_queries, n_keys)
    mask : array of bool or floats, broadcasting to the scores; or None
        Boolean: True = may attend. Floating: added to the scores; −inf forbids.
    is_causal : bool
        Query i may attend to the keys j ≤ i only. With a mask, both must allow.

    Returns
    -------
    array, (..., n_queries, n_keys), in the dtype of the scores
    """
    xp = array_namespace(scores)
    if is_causal:
        allowed = xp.asarray(causal_mask(*scores.shape[-2:]), device=place(scores))
        scores = xp.where(allowed, scores, -math.inf)
    if mask is None:
        return scores
    if is_kind(mask, "bool"):
        return xp.where(mask, scores, -math.inf)
    added = scores + _addend(mask, scores.dtype)
    return xp.where(mask == -math.inf, -math.inf, added)


def _addend(mask: Array, dtype: Any) -> Array:
    """Bring a float mask to the dtype of the scores, −inf replaced by a finite number.

    It is kept above half the most negative number, so that adding cannot overflow.
    """
    xp = array_namespace(mask)
    wide = cast(mask, xp.result_type(mask.dtype, dtype))
    return cast(xp.clip(wide, min=float(xp.finfo(dtype).min) / 2), dtype)
