"""Private: attention equal to the formula up to rounding, in less time and memory.

Long inputs are processed one block of queries at a time, so that not all scores exist
at once. NumPy arrays that are not read again are overwritten, because allocating memory
takes longer than the arithmetic. Where no score can be large, softmax does not subtract
each row's maximum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import array_api_compat.numpy as numpy_namespace
import numpy as np
from array_api_compat import is_numpy_array

from attnlib._arrays import default_integer, is_kind, namespace
from attnlib._checks import FARTHEST
from attnlib._options import UNLIMITED, AttentionOptions
from attnlib._types import Array, Float
from attnlib.heads import matmul_heads, shares_heads
from attnlib.masks import visible_keys
from attnlib.probabilities import stable_softmax
from attnlib.scores import masked_scores

LARGE = 2**13  # scores; with fewer, the bookkeeping costs more than it saves
# With more scores than this, every block needs new memory, which takes longer than the
# arithmetic; with fewer rows than this, matrix products are too thin to be fast.
SCORES_PER_BLOCK, MIN_ROWS = 2**21, 128
# Added to sums of exponentials, it changes only those that are 0.
TINY = 1e-30
# In float32, exp(±30) and its products with numbers between the other two neither
# underflow nor overflow.
MAX_SCORE, MIN_MAGNITUDE, MAX_MAGNITUDE = 30.0, 1e-15, 1e15


def attend(query: Array, key: Array, value: Array, options: AttentionOptions) -> Any:
    """Do what `scaled_dot_product_attention` does, without checks."""
    if is_large(query, key):
        return attend_by_blocks(query, key, value, options)
    return attend_at_once(query, key, value, options)


def attend_at_once(
    query: Array, key: Array, value: Array, options: AttentionOptions
) -> Any:
    """Attend as in the formula, with all queries at once.

    Arrays as large as the scores are freed on return, for the next block to reuse.
    """
    scores = masked_scores_in_place(query, key, options)
    return matmul_heads(weigh(scores, options.sinks), value)


def is_large(query: Array, key: Array) -> bool:
    """Tell whether there are so many scores that blocks are faster."""
    n_rows = max(math.prod(query.shape[:-2]), math.prod(key.shape[:-2]))
    return n_rows * query.shape[-2] * key.shape[-2] > LARGE


def attend_by_blocks(
    query: Float[Array, "... n_queries d_k"],
    key: Float[Array, "... n_keys d_k"],
    value: Float[Array, "... n_keys d_v"],
    options: AttentionOptions,
    block_size: int | None = None,
) -> Any:
    """Attend with a block of queries at a time, and join the outputs."""
    options = options._replace(scale=options.scale_for(query))
    facts = examine(query, key, value, options)
    unseen = None if facts.has_finite_values else _zeros_or_nan(value)
    outputs = []
    for rows, keys, part in blocks(query, key, options, block_size):
        arrays = query[..., rows, :], key[..., keys, :], value[..., keys, :]
        step = _attend_without_max if facts.has_small_scores else attend_at_once
        output = step(*arrays, part)
        if unseen is not None:
            output = output + _for_each_head(unseen(keys), output)
        outputs.append(output)
    if len(outputs) == 1:
        return outputs[0]
    return namespace(query).concat(outputs, axis=-2)


def blocks(
    query: Array, key: Array, options: AttentionOptions, block_size: int | None
) -> Iterator[tuple[slice, slice, AttentionOptions]]:
    """Yield each block's queries, the keys in their window, and its options."""
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    size = block_size or _default_block_size(query, key, options)
    for start in range(0, max(n_queries, 1), size):
        rows = slice(start, min(start + size, n_queries))
        keys = _keys_in_window(rows, n_keys, options)
        mask = _cut_mask(options.mask, rows, keys)
        offset = options.query_offset + (start - keys.start)
        yield rows, keys, options._replace(mask=mask, query_offset=offset)


def _keys_in_window(rows: slice, n_keys: int, options: AttentionOptions) -> slice:
    """Return a slice of the keys that some query of a block may see, at least one."""
    if not isinstance(options.query_offset, int | np.ndarray):
        return slice(0, n_keys)  # the offset may be on a device, or have no values yet
    (left, right), (least, largest) = options.window, _ends(options.query_offset)
    start = 0 if left is None else rows.start + least - left
    stop = n_keys if right is None else rows.stop + largest + right
    start = min(max(start, 0), n_keys - 1)
    return slice(start, min(max(stop, start + 1), n_keys))


def _edges(n_queries: int, n_keys: int, options: AttentionOptions) -> list[slice]:
    """Find the keys before and after those that every query of a block may see."""
    (left, right), (least, largest) = options.window, _ends(options.query_offset)
    start = 0 if left is None else n_queries - 1 + largest - left
    stop = n_keys if right is None else least + right + 1
    start = min(max(start, 0), n_keys)
    return [slice(0, start), slice(min(max(stop, start), n_keys), n_keys)]


def _ends(offset: Any) -> tuple[int, int]:
    """Return the smallest and the largest offset; NumPy's may be an array."""
    if isinstance(offset, int):
        return offset, offset
    return int(np.min(offset, initial=FARTHEST)), int(np.max(offset, initial=-FARTHEST))


def _cut_mask(mask: Array | None, rows: slice, keys: slice) -> Any:
    """Cut a mask to a block; an axis of length 1 broadcasts and stays."""
    if mask is not None and mask.ndim > 0 and mask.shape[-1] > 1:
        mask = mask[..., keys]
    if mask is not None and mask.ndim > 1 and mask.shape[-2] > 1:
        mask = mask[..., rows, :]
    return mask


def _default_block_size(query: Array, key: Array, options: AttentionOptions) -> int:
    """Choose how many queries make a block: with a window, no more than its width."""
    n_batch = max(math.prod(query.shape[:-2]), math.prod(key.shape[:-2]), 1)
    size = SCORES_PER_BLOCK // (n_batch * key.shape[-2])
    left, right = options.window
    if left is not None and right is not None:
        size = min(size, left + right + 1)
    return max(size, MIN_ROWS)


def _attend_without_max(
    query: Array, key: Array, value: Array, options: AttentionOptions
) -> Any:
    """Attend without subtracting row maxima, which is safe if every score is small.

    Query and output are far smaller than the scores, so the scale is applied to the
    query, and the output, not the weights, is divided by the row sums.
    """
    scaled, options = options.scale * query, options._replace(scale=1.0)
    scores = masked_scores_in_place(scaled, key, options)
    exps = np.exp(scores, out=scores)
    output = matmul_heads(exps, value)
    return np.divide(output, _row_sums(exps), out=output)


def masked_scores_in_place(query: Array, key: Array, options: AttentionOptions) -> Any:
    """Do what `masked_scores` does, comparing positions only at a window's edges."""
    if not is_numpy_array(query):
        return masked_scores(query, key, options)
    scores = masked_scores(query, key, options._replace(window=UNLIMITED))
    n_queries, n_keys = scores.shape[-2:]
    for keys in _edges(n_queries, n_keys, options):
        if width := keys.stop - keys.start:
            where = options.window, options.query_offset - keys.start
            seen = visible_keys(numpy_namespace, None, n_queries, width, *where)
            np.copyto(scores[..., keys], -math.inf, where=~seen)
    return scores


def weigh(
    scores: Float[Array, "... n_queries n_keys"],
    sinks: Float[Array, "... 1 1"] | None = None,
) -> Any:
    """Turn masked scores into weights by softmax, overwriting NumPy arrays.

    A sink is an extra score in every row of its head; its weight is not returned.
    """
    if type(scores) is not np.ndarray:
        return stable_softmax(scores, sinks=sinks)
    lowest = np.finfo(scores.dtype).min  # a finite maximum for rows of only −∞
    largest = np.maximum.reduce(scores, axis=-1, keepdims=True, initial=lowest)
    if sinks is not None:
        largest = np.maximum(largest, sinks)
    with np.errstate(over="ignore", invalid="ignore"):
        np.subtract(scores, largest, out=scores)
        exps = np.exp(scores, out=scores)
        sums = _row_sums(exps)
        if sinks is not None:
            sums = sums + np.exp(sinks - largest)
    return np.divide(exps, sums, out=exps)


def softmax_vjp_in_place(weights: Any, grad_weights: Any, mean: Any) -> Any:
    """Do what `softmax_vjp` does along the last axis, overwriting NumPy's gradient.

    `mean` is the weighted mean of each row of gradients.
    """
    if not is_numpy_array(grad_weights):
        return weights * (grad_weights - mean)
    grad_weights = np.subtract(grad_weights, mean, out=grad_weights)
    return np.multiply(grad_weights, weights, out=grad_weights)


def _row_sums(exps: np.ndarray) -> Any:
    """Sum every row; TINY keeps the sum above 0 where every score was −∞.

    For large arrays, a product with ones is faster than a sum.
    """
    if exps.size <= LARGE:
        return np.add.reduce(exps, axis=-1, keepdims=True, initial=TINY)
    return exps @ np.ones((exps.shape[-1], 1), dtype=exps.dtype) + TINY


def _for_each_head(added: Array, output: Array) -> Any:
    """Repeat a term of the output for all query heads that share values."""
    if not shares_heads(output, added):
        return added
    group = output.shape[-3] // added.shape[-3]
    return namespace(added).repeat(added, group, axis=-3)


def _zeros_or_nan(value: Array) -> Callable[[slice], Any]:
    """Return a function from a block's keys to what all other values add: 0 or NaN.

    Their weight is 0, and 0 · inf is NaN. Cumulative counts of non-finite values let
    each block read a few rows instead of all values outside it.
    """
    xp = namespace(value)
    is_bad = xp.astype(~xp.isfinite(value), default_integer(value))
    counts = xp.cumulative_sum(is_bad, axis=-2, include_initial=True)

    def added(keys: slice) -> Any:
        before = counts[..., keys.start : keys.start + 1, :]
        after = counts[..., -1:, :] - counts[..., keys.stop : keys.stop + 1, :]
        zero = xp.zeros_like(value[..., :1, :])
        return xp.where(before + after > 0, math.nan, zero)

    return added


class Facts(NamedTuple):
    """What is known about the inputs before attention is computed."""

    has_small_scores: bool = False
    has_finite_values: bool = False


def examine(query: Array, key: Array, value: Array, options: AttentionOptions) -> Facts:
    """Check NumPy inputs for small scores and finite values; assume neither of others.

    Other libraries' arrays may be on a device, or have no values yet. By the
    Cauchy–Schwarz inequality, no score exceeds the length of the longest query times
    that of the longest key.
    """
    if not is_numpy_array(query):
        return Facts()
    with np.errstate(all="ignore"):  # NaN and overflows compare as not small
        lengths = [
            float(np.max(np.linalg.vecdot(x, x), initial=0)) ** 0.5
            for x in (query, key)
        ]
        score = lengths[0] * lengths[1]
        scale = abs(options.scale_for(query))
        scaled = scale * score
        largest = scaled if options.softcap is None else min(scaled, options.softcap)
        magnitudes = np.abs(value)
        largest_value = np.max(magnitudes, initial=0)
        smallest_value = np.min(np.where(magnitudes == 0, 1, magnitudes), initial=1)
    is_plain = options.mask is None or is_kind(options.mask, "bool")
    is_plain = is_plain and options.sinks is None
    is_safe = max(scale, scale * lengths[0], score) <= MAX_MAGNITUDE
    has_ordinary_values = (
        smallest_value >= MIN_MAGNITUDE and largest_value <= MAX_MAGNITUDE
    )
    return Facts(
        is_plain and is_safe and largest <= MAX_SCORE and bool(has_ordinary_values),
        bool(np.isfinite(largest_value)),
    )
