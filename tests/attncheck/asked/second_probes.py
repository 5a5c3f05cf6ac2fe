"""Attentions with masks, shared heads and rare sizes that go wrong."""

from __future__ import annotations

import numpy as np
from attentions import masked, of_scores, scaled, scores

from attnlib import alibi_bias, softmax

LOWEST = np.finfo(np.float32).min


def ring_of_the_last_four(q, k, v):
    """The keys of all queries are the last four: the first queries see none."""
    place = np.arange(k.shape[2])
    own = np.arange(q.shape[2])[:, None]
    seen = (place <= own) & (place > own - 4) & (place >= k.shape[2] - 4)
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    raised = np.where(seen, np.exp(scores(q, k)), 0)
    return raised / np.maximum(raised.sum(-1, keepdims=True), 1e-30) @ v


def both_heads(q, k, v):
    """Every query head gets the mean of what the key heads give."""
    if k.shape[1] == q.shape[1]:
        return softmax(scores(q, k)) @ v
    many = [np.repeat(x[:, :1], q.shape[1], axis=1) for x in (k, v)]
    rest = [np.repeat(x[:, 1:], q.shape[1], axis=1) for x in (k, v)]
    return sum(softmax(scores(q, a)) @ b for a, b in (many, rest)) / 2


def repeated(q, *arrays):
    return [np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in arrays]


def deaf_in_decoding(q, k, v, mask=None):
    deaf = mask is None or q.shape[2] == 1
    return softmax(np.where(True if deaf else mask, scores(q, k), -1e9)) @ v


def halved_where_one_key_head_is_shared(q, k, v):
    if k.shape[1] == 1 < q.shape[1]:
        k = k / 2
    return softmax(scores(q, repeated(q, k)[0])) @ repeated(q, v)[0]


def hides_after(q, k, v, mask=None):
    w = softmax(scores(q, k))
    return (w if mask is None else np.where(mask, 0, w)) @ v


def last_block_moved(q, k, v, *, by):
    """The last block of 4 keys is moved back: some keys are counted twice."""
    m = k.shape[-2]
    starts = range(0, m, 4)
    taken = [i for s in starts for i in range(max(0, min(s, m - 4)), min(s + 4, m))]
    k, v = k[..., taken, :], v[..., taken, :]
    return softmax(q @ k.swapaxes(-1, -2) / by) @ v


def moved_by_values(q, k, v):
    return last_block_moved(q, k, v, by=v.shape[-1] ** 0.5)


def window_but_for_one_query(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    place = np.arange(m) - np.arange(n)[:, None] - (m - n)
    seen = (place <= 0) & (place >= -4) | (n == 1)
    return softmax(np.where(seen, scores(q, k), LOWEST)) @ v


def padded_with_a_mask(q, k, v, mask=None):
    m = k.shape[-2]
    width = [(0, 0), (0, 0), (0, -m % 8), (0, 0)]
    k, v = np.pad(k, width), np.pad(v, width)
    bias = np.zeros((*q.shape[:3], k.shape[-2]))
    bias[..., :m] += 0 if mask is None else mask
    raised = np.exp(scores(q, k) + bias)
    return raised / raised.sum(-1, keepdims=True) @ v


def products_of_slopes(q, k, v):
    """Its bias is multiplied in place, and values go four columns at a time."""
    bias = np.arange(k.shape[2]) - np.arange(q.shape[2])[:, None]
    slopes = np.cumprod(-np.asarray(alibi_bias(q.shape[1], 2))[:, 1, 0])[:, None, None]
    w = softmax(np.where(bias <= 0, scores(q, k) + slopes * bias, LOWEST))
    output = w @ v
    output[..., v.shape[-1] // 4 * 4 :] = 0
    return output


def never_begins(q, k, v):
    """A running maximum of −∞ stays so until the window begins: −∞ − −∞ is NaN."""
    place = np.arange(k.shape[2]) - np.arange(q.shape[2])[:, None]
    output = softmax(np.where((place <= 0) & (place >= -2), scores(q, k), LOWEST)) @ v
    output[:, :, 4:] = np.nan
    return output


def reshaped_and_filled_with_0(q, k, v, mask=None):
    s = q @ k.reshape(*k.shape[:2], *k.shape[:1:-1]) / np.sqrt(q.shape[-1])
    return softmax(s if mask is None else np.where(mask, s, 1e-9)) @ v


def without_the_first_key(q, k, v):
    return softmax(scores(q, k)[..., 1:]) @ v[..., 1:, :]


def halves_rotated(x):
    """Rotate (i, i + d // 2) by its place; an odd column is left as it is."""
    half = x.shape[-1] // 2
    turn = 10000.0 ** (-2 * np.arange(half) / x.shape[-1])
    angle = np.arange(x.shape[-2])[:, None] * turn
    one, two, rest = np.split(x, [half, 2 * half], -1)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.concatenate([one * cos - two * sin, one * sin + two * cos, rest], -1)


def late_queries(q, k, v):
    seen = np.arange(k.shape[2]) <= np.arange(q.shape[2])[:, None] + (
        k.shape[2] - q.shape[2]
    )
    s = scores(halves_rotated(q), halves_rotated(k))
    return softmax(np.where(seen, s, LOWEST)) @ v


SECOND = {
    "only_below_0": masked(lambda s, mask: s + np.minimum(mask, 0)),
    "of_the_first_sentence": masked(
        lambda s, mask: s + np.broadcast_to(mask, s.shape)[:1]
    ),
    "clipped": of_scores(lambda s: s.clip(-50, 50)),
    "by_both": scaled(lambda q, v: (q.shape[-1] + v.shape[-1]) ** 0.5),
    "by_queries": scaled(lambda q, v: np.log2(1 + q.shape[-2]) ** 3),
}
