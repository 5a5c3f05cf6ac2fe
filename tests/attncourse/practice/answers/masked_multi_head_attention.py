"""Right and wrong answers for masked_multi_head_attention, in several styles."""

import numpy as np

from attnlib import MultiHeadAttention
from attnlib import scaled_dot_product_attention as attend
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


@right
def by_library(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    layer = MultiHeadAttention(w_query, w_key, w_value, w_output, n_heads=n_heads)
    return layer(x, mask=mask)


def safe(scores):
    """Softmax with zeros for a row of nothing but −∞."""
    return np.nan_to_num(soft(scores))


def split(x, n_heads):
    return np.swapaxes(x.reshape(*x.shape[:-1], n_heads, -1), -2, -3)


def merge(x):
    x = np.swapaxes(x, -2, -3)
    return x.reshape(*x.shape[:-2], -1)


def hide(scores, mask):
    return np.where(mask[..., None, :, :], scores, -np.inf)


def built(hide=hide, soft=safe, split=split, last=np.matmul, default=lambda s: s):
    """A right answer, with some of its parts replaced."""

    def answer(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
        q, k, v = (split(x @ w, n_heads) for w in (w_query, w_key, w_value))
        scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
        scores = default(scores) if mask is None else hide(scores, mask)
        return last(merge(soft(scores) @ v), w_output)

    return answer


@right
def by_loops(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    """One head and one query after the other, with only the keys it may see."""
    weights = (w_query, w_key, w_value, w_output)
    if x.ndim > 2:
        masks = mask if mask is not None and mask.ndim > 2 else [mask] * len(x)
        each = zip(x, masks, strict=True)
        return np.array([by_loops(one, *weights, n_heads, own) for one, own in each])
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    n, d_k = len(x), x.shape[-1] // n_heads
    allowed = np.broadcast_to(True if mask is None else mask, (n, n))
    merged = np.zeros_like(q)
    for start in range(0, n_heads * d_k, d_k):
        own = slice(start, start + d_k)
        for i in range(n):
            seen = np.flatnonzero(allowed[i])
            if len(seen):
                scores = k[seen, own] @ q[i, own] / d_k**0.5
                merged[i, own] = soft(scores) @ v[seen, own]
    return merged @ w_output


@right
def by_filling_in_place(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    """With a large negative number, and zeros for the rows that see nothing."""
    n = x.shape[-2]
    mask = np.ones((n, n), bool) if mask is None else mask
    with_scores = built(hide=lambda s, m: np.where(m[..., None, :, :], s, -1e9))
    # A row that sees nothing is zero before w_output, and so after it.
    output = with_scores(x, w_query, w_key, w_value, w_output, n_heads, mask)
    return np.where(mask.any(axis=-1, keepdims=True), output, 0.0)


def put(mask, scores, other):
    return np.where(mask[..., None, :, :], scores, other)


right(built())
wrong("mask-ignored")(built(hide=lambda s, _: s))
wrong("mask-inverted")(
    built(hide=lambda s, m: hide(s, ~m)),
    built(hide=lambda s, m: s - 1e9 * m[..., None, :, :]),
)
wrong("mask-without-head-axis")(
    built(hide=lambda s, m: np.where(m, s, -np.inf)),
    built(hide=lambda s, m: np.where(m, s, -1e9)),
)
wrong("mask-too-weak")(built(hide=lambda s, m: put(m, s, -1.0)))
wrong("score-zero-instead-of-minus-infinity")(
    built(hide=lambda s, m: put(m, s, 0.0)),
    built(hide=lambda s, m: s * m[..., None, :, :]),
)
wrong("mask-transposed")(built(hide=lambda s, m: hide(s, np.swapaxes(m, -1, -2))))
wrong("mask-added")(built(hide=lambda s, m: s + m[..., None, :, :]))
wrong("nan-for-masked-row")(built(soft=soft))
wrong("output-for-masked-row")(built(hide=lambda s, m: put(m, s, -1e9)))
wrong("missing-output-projection")(built(last=lambda merged, _: merged))
wrong("heads-without-transpose")(
    built(split=lambda x, h: x.reshape(*x.shape[:-2], h, x.shape[-2], -1))
)
wrong("softmax-missing")(
    built(soft=lambda s: s), built(soft=lambda s: np.where(np.isinf(s), 0, s))
)
wrong("mask-inverted", "missing-output-projection")(
    built(hide=lambda s, m: hide(s, ~m), last=lambda merged, _: merged)
)


@wrong("number-of-axes")
def behind_the_first_axis(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    def split(a):
        return np.swapaxes(a.reshape(*a.shape[:-1], n_heads, -1), -2, -3)

    query, key, value = (split(x @ w) for w in (w_query, w_key, w_value))
    if mask is not None and mask.ndim > 2:
        mask = mask[:, None]
    rows = attend(query, key, value, mask=mask)
    return np.swapaxes(rows, -2, -3).reshape(x.shape) @ w_output


@wrong("mask-in-some-heads")
def first_head_masked(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    rows = []
    for part in np.split(np.arange(x.shape[-1]), n_heads):
        query, key, value = (x @ w[:, part] for w in (w_query, w_key, w_value))
        rows.append(attend(query, key, value, mask=mask))
        mask = None
    return np.concatenate(rows, axis=-1) @ w_output
