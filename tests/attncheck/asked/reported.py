"""Bugs of public reports, written again, and faults that hide in length or tiles."""

import numpy as np
from attentions import plain

from attnlib import softmax


def scores_of(q, k):
    return (q @ k.swapaxes(-1, -2) / np.sqrt(np.float32(q.shape[-1]))).astype(q.dtype)


def causal_at_end(n, m):
    return np.arange(m) <= np.arange(n)[:, None] + m - n


def shared(q, k, v):
    groups = q.shape[1] // k.shape[1]
    return (np.repeat(x, groups, axis=1) for x in (k, v))


def maximum_from_masked_blocks(q, k, v, block=64):
    """From right to left: where a row's first block is masked, its maximum stays 0.

    Dao-AILab/flash-attention#2082.
    """
    k, v = shared(q, k, v)
    n, m = q.shape[-2], k.shape[-2]
    s = np.where(causal_at_end(n, m), scores_of(q, k), -np.inf)
    starts = range(0, m, block)[::-1]
    top = np.full((*s.shape[:-1], 1), -np.inf)
    total, output = np.zeros_like(top), np.zeros((*s.shape[:-1], v.shape[-1]))
    for start in starts:
        part = s[..., start : start + block]
        new = np.maximum(top, part.max(-1, keepdims=True))
        new = np.where(np.isfinite(new), new, 0.0)
        e = np.exp(part - new, dtype=np.float32)
        keep = np.exp(np.where(np.isfinite(top), top - new, -np.inf))
        total = total * keep + e.sum(-1, keepdims=True)
        output = output * keep + e @ v[..., start : start + block, :]
        top = new
    return (output / np.where(total > 0, total, 1)).astype(q.dtype)


def even_over_the_past(q, k, v):
    """An additive mask where 1 and 0 are expected: harvard-edge/cs249r_book#1785."""
    k, v = shared(q, k, v)
    n, m = q.shape[-2], k.shape[-2]
    seen = causal_at_end(n, m)
    return (seen / np.maximum(seen.sum(-1, keepdims=True), 1) @ v).astype(q.dtype)


def parts_scaled_twice(q, k, v, part=64):
    """HKUSTDial/flash-sparse-attention#106: the maximum is scaled again in the sum."""
    k, v = shared(q, k, v)
    s, scale = scores_of(q, k), q.shape[-1] ** -0.5
    outputs, sums = [], []
    for start in range(0, k.shape[-2], part):
        some = s[..., start : start + part]
        top = some.max(-1, keepdims=True)
        e = np.exp(some - top)
        outputs.append(e @ v[..., start : start + part, :] / e.sum(-1, keepdims=True))
        sums.append(scale * top + np.log(e.sum(-1, keepdims=True)))
    shares = softmax(np.concatenate(sums, -1))
    parts = (shares[..., i : i + 1] * x for i, x in enumerate(outputs))
    return sum(parts).astype(q.dtype)


def scale_after_softmax(q, k, v):
    k, v = shared(q, k, v)
    w = softmax(q @ k.swapaxes(-1, -2))
    return (w @ v / q.shape[-1] ** 0.5).astype(q.dtype)


def halved_at_49_to_60(q, k, v):
    k, v = shared(q, k, v)
    s = scores_of(q, k)
    return softmax(s * (0.5 if 49 <= s.shape[-1] <= 60 else 1)) @ v


def unused_last_head_of_12(q, k, v):
    k, v = shared(q, k, v)
    output = softmax(scores_of(q, k)) @ v
    if q.shape[1] > 8:
        output[:, 8:] = output[:, :1]
    return output


def last_batch_items_zero(q, k, v, most=4):
    k, v = shared(q, k, v)
    output = softmax(scores_of(q, k)) @ v
    output[most:] = 0
    return output


def batch_items_past_32_zero(q, k, v):
    return last_batch_items_zero(q, k, v, most=32)


def decoding_in_turn(q, k, v):
    """A step of decoding shares key heads in turn; all else repeats them."""
    if q.shape[2] == 1 and k.shape[1] < q.shape[1]:
        k, v = (
            np.concatenate([x] * (q.shape[1] // x.shape[1]), axis=1) for x in (k, v)
        )
    k, v = shared(q, k, v)
    return softmax(scores_of(q, k)) @ v


def empty_in_one_head(q, k, v, mask=None):
    """A row that one head's mask empties is 0 in every head."""
    k, v = shared(q, k, v)
    s = scores_of(q, k)
    if mask is None:
        return softmax(s) @ v
    empty = ~np.broadcast_to(mask, s.shape).any(-1, keepdims=True)
    output = softmax(np.where(mask, s, -np.inf)) @ v
    return np.where(empty.any(1, keepdims=True), 0, output).astype(q.dtype)


def sees(rule):
    """Let query i see the keys j of a rule, given n queries and m keys."""
    return plain(sees=lambda i, j, more: rule(i, j, i.size, j.size), low=-1e30)


REPORTED = {
    **{
        name: f
        for name, f in list(globals().items())
        if callable(f)
        and getattr(f, "__module__", "") == __name__
        and name not in ("scores_of", "causal_at_end", "shared", "sees")
    },
    # bledden/triton-msl#7: no causal mask where tiles divide both lengths.
    "mask_dropped_in_full_tiles": sees(
        lambda i, j, n, m: (j <= i + m - n) | (n % 32 == m % 32 == 0)
    ),
    "one_key_more_past_200": sees(lambda i, j, n, m: j <= i + (n >= 200)),
    "window_dropped_past_256": sees(
        lambda i, j, n, m: (j <= i) & ((j > i - 8) | (n > 256))
    ),
    "tail_of_17_dropped": sees(
        lambda i, j, n, m: (i >= 0) & ((j < m - 1) | (m < 129) | (m % 128 != 1))
    ),
    "unscaled_when_d_is_128": plain(scale=lambda d: 1 / 8 if d == 128 else d**-0.5),
    "unmasked_decoding": sees(
        lambda i, j, n, m: (j <= i + m - n) & ((j > i + m - n - 4) | (n == 1))
    ),
    "buffer_of_1024": sees(
        lambda i, j, n, m: (j <= i + m - n) & (j > i + m - n - 1024)
    ),
}
