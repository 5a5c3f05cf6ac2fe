"""Private: attention equal to the formula up to rounding, in less time and memory.

Long inputs are processed one block of queries at a time, so that not all scores exist
at once. NumPy arrays that are not read again are overwritten, because allocating memory
takes longer than the arithmetic. Where no score can be large, softmax does not subtract
each row's maximum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from array_api_compat import is_numpy_array

from attnlib._arrays import is_kind, matmul_heads, namespace
from attnlib._checks import FARTHEST
from attnlib._options import UNLIMITED, Options
from attnlib._types import Array, Float, Window
from attnlib.masks import apply_masks, visible_keys
from attnlib.probabilities import finite_max, stable_softmax
from attnlib.scores import scaled_scores

LARGE = 2**13  # scores; with fewer, the bookkeeping costs more than it saves
# With more scores than this, every block needs new memory, which takes longer than the
# arithmetic; with fewer rows than this, matrix products are too thin to be fast.
SCORES_PER_BLOCK, MIN_ROWS = 2**21, 128
# Added to sums of exponentials, it changes only those that are 0.
TINY = 1e-30
# In float32, exp(±30) and its products with numbers between the other two neither
# underflow nor overflow.
MAX_SCORE, MIN_MAGNITUDE, MAX_MAGNITUDE = 30.0, 1e-15, 1e15


def is_large(query: Array, key: Array) -> bool:
    """Tell whether there are so many scores that blocks are faster."""
    n_rows = max(math.prod(query.shape[:-2]), math.prod(key.shape[:-2]))
    return n_rows * query.shape[-2] * key.shape[-2] > LARGE


def attend(
    query: Float[Array, "... n_queries d_k"],
    key: Float[Array, "... n_keys d_k"],
    value: Float[Array, "... n_keys d_v"],
    options: Options,
    block_size: int | None = None,
) -> Any:
    """Attend with a block of queries at a time, and join the outputs."""
    step = attend_at_once
    if is_numpy_array(query):
        small = has_small_scores(query, key, value, options)
        step = _attend_without_max if small else _attend_in_place
    # A skipped key has weight 0, and 0 · inf is NaN.
    skips = options.window != UNLIMITED and _is_finite(value)
    outputs = [
        step(query[..., rows, :], key[..., keys, :], value[..., keys, :], part)
        for rows, keys, part in blocks(query, key, options, block_size, skips)
    ]
    if len(outputs) == 1:
        return outputs[0]
    return namespace(query).concat(outputs, axis=-2)


def blocks(
    query: Array, key: Array, options: Options, size: int | None, skips: bool = True
) -> Iterator[tuple[slice, slice, Options]]:
    """Yield each block's queries, the keys in their window, and its options."""
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    size = size or default_block_size(query, key, options)
    for start in range(0, max(n_queries, 1), size):
        rows = slice(start, min(start + size, n_queries))
        keys = slice(0, n_keys)
        # Another library's offset may be on a device, or have no values yet.
        if skips and isinstance(options.query_offset, int | np.ndarray):
            least, largest = _ends(options.query_offset)
            span = rows.start + least, rows.stop - 1 + largest
            keys = _keys_between(*span, n_keys, options.window)
            first = min(keys.start, n_keys - 1)  # at least one key
            keys = slice(first, max(keys.stop, first + 1))
        mask = _cut_mask(options.mask, rows, keys)
        offset = options.query_offset + (start - keys.start)
        yield rows, keys, replace(options, mask=mask, query_offset=offset)


def _keys_between(first: int, last: int, n_keys: int, window: Window) -> slice:
    """Return the keys from the window's left at `first` to its right at `last`."""
    left, right = window
    start = 0 if left is None else min(max(first - left, 0), n_keys)
    stop = n_keys if right is None else min(max(last + right + 1, start), n_keys)
    return slice(start, stop)


def _ends(offset: Any) -> tuple[int, int]:
    """Return the smallest and the largest offset, of one or of an array of NumPy's."""
    return int(np.min(offset, initial=FARTHEST)), int(np.max(offset, initial=-FARTHEST))


def _cut_mask(mask: Any, rows: slice, keys: slice) -> Any:
    """Cut a mask to a block; an axis of length 1 broadcasts and stays."""
    if mask is not None and mask.ndim > 0 and mask.shape[-1] > 1:
        mask = mask[..., keys]
    if mask is not None and mask.ndim > 1 and mask.shape[-2] > 1:
        mask = mask[..., rows, :]
    return mask


def default_block_size(query: Array, key: Array, options: Options) -> int:
    """Choose how many queries make a block: with a window, no more than its width."""
    n_batch = max(math.prod(query.shape[:-2]), math.prod(key.shape[:-2]), 1)
    size = SCORES_PER_BLOCK // (n_batch * key.shape[-2])
    left, right = options.window
    if left is not None and right is not None:
        size = min(size, left + right + 1)
    return max(size, MIN_ROWS)


def attend_at_once(query: Array, key: Array, value: Array, options: Options) -> Any:
    """Attend as in the formula: arrays of any library, and none is overwritten."""
    scores = scaled_scores(query, key, options.scale, options.softcap)
    scores = apply_masks(scores, options.mask, options.window, options.query_offset)
    return matmul_heads(stable_softmax(scores, sinks=options.sinks), value)


def _attend_in_place(query: Any, key: Any, value: Any, options: Options) -> Any:
    """Do the same with NumPy, and overwrite the scores with the weights."""
    scores, sinks = _masked_scores(query, key, options), options.sinks
    largest = finite_max(scores)
    if sinks is not None:
        largest = np.maximum(largest, sinks)
    with np.errstate(over="ignore", invalid="ignore"):
        np.subtract(scores, largest, out=scores)
        weights = np.exp(scores, out=scores)
        total = _row_sums(weights)
        if sinks is not None:
            total = total + np.exp(sinks - largest)
    np.divide(weights, np.maximum(total, 1.0), out=weights)
    return matmul_heads(weights, value)


def _attend_without_max(query: Any, key: Any, value: Any, options: Options) -> Any:
    """Do the same without subtracting row maxima: safe if every score is small.

    Query and output are far smaller than the scores, so the scale is applied to the
    query, and the output, not the weights, is divided by the row sums.
    """
    scaled, options = options.scale * query, replace(options, scale=1.0)
    scores = _masked_scores(scaled, key, options)
    exps = np.exp(scores, out=scores)
    output = matmul_heads(exps, value)
    return np.divide(output, _row_sums(exps) + TINY, out=output)


def _masked_scores(query: Any, key: Any, options: Options) -> Any:
    """Score with NumPy, and compare positions only at the edges of the window.

    Between the edges, every query of a block may see every key.
    """
    scores = scaled_scores(query, key, options.scale, options.softcap)
    scores = apply_masks(scores, options.mask, UNLIMITED, 0)
    n_queries, n_keys = scores.shape[-2:]
    window, offset = options.window, options.query_offset
    least, largest = _ends(offset)
    seen_by_all = _keys_between(n_queries - 1 + largest, least, n_keys, window)
    for edge in (slice(0, seen_by_all.start), slice(seen_by_all.stop, n_keys)):
        if width := edge.stop - edge.start:
            shifted = offset - edge.start
            seen = visible_keys(scores, n_queries, width, window, shifted)
            np.copyto(scores[..., edge], -math.inf, where=~seen)
    return scores


def _row_sums(exps: Any) -> Any:
    """Sum every row by a product with ones, for large arrays faster than a sum."""
    return exps @ np.ones((exps.shape[-1], 1), dtype=exps.dtype)


def _is_finite(value: Array) -> bool:
    """Tell whether no value is inf or NaN, as far as one can tell."""
    xp = namespace(value)
    try:
        return bool(xp.all(xp.isfinite(value)))
    except TypeError:  # while jax.jit traces, there are no values to look at
        return False


def has_small_scores(query: Any, key: Any, value: Any, options: Options) -> bool:
    """Tell whether exp of every score is safe, for NumPy arrays.

    By the Cauchy–Schwarz inequality, no score exceeds the length of the longest query
    times that of the longest key.
    """
    if options.sinks is not None:
        return False
    if options.mask is not None and not is_kind(options.mask, "bool"):
        return False
    scale, magnitudes = abs(options.scale), np.abs(value)
    with np.errstate(all="ignore"):  # NaN and overflows compare as not small
        longest_query, longest_key = (
            float(np.max(np.linalg.vecdot(x, x), initial=0)) ** 0.5
            for x in (query, key)
        )
        score = longest_query * longest_key
        largest = np.max(
            [scale, scale * longest_query, score, np.max(magnitudes, initial=0)]
        )
    smallest = np.min(magnitudes, where=magnitudes > 0, initial=1)
    is_safe = largest <= MAX_MAGNITUDE and smallest >= MIN_MAGNITUDE
    return bool(is_safe and scale * score <= MAX_SCORE)
