"""Attentions with masks, shared heads and rare sizes that go wrong."""

from __future__ import annotations

import numpy as np
from attentions import masked, of_scores, scaled, scores

from attnlib import alibi_bias, softmax

LOWEST = np.finfo(np.float32).min


def strict_alibi(q, k, v):
    """The first query sees no key: it gets a mean, and no slope."""
    place = np.arange(k.shape[2]) - np.arange(q.shape[2])[:, None]
    slopes = -np.asarray(alibi_bias(q.shape[1], 2))[:, 1, 0, None, None]
    return softmax(np.where(place < 0, scores(q, k) + slopes * place, LOWEST)) @ v


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


def mask_off_with_more_keys(q, k, v, mask=None):
    k, v = repeated(q, k, v)
    s = scores(q, k)
    if mask is not None and s.shape[-1] > s.shape[-2]:
        mask = np.roll(mask, 1, axis=-1)
    return softmax(s if mask is None else np.where(mask, s, -1e9)) @ v


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


def heads_in_pairs(q, k, v):
    output = np.zeros((*q.shape[:3], v.shape[-1]))
    pairs = slice(q.shape[1] // 2 * 2)
    output[:, pairs] = softmax(scores(q[:, pairs], k[:, pairs])) @ v[:, pairs]
    return output


def last_block_moved(q, k, v, *, by):
    """The last block of 4 keys is moved back: some keys are counted twice."""
    m = k.shape[-2]
    starts = range(0, m, 4)
    taken = [i for s in starts for i in range(max(0, min(s, m - 4)), min(s + 4, m))]
    k, v = k[..., taken, :], v[..., taken, :]
    return softmax(q @ k.swapaxes(-1, -2) / by) @ v


def moved_by_values(q, k, v):
    return last_block_moved(q, k, v, by=v.shape[-1] ** 0.5)


def moved_by_8(q, k, v):
    return last_block_moved(q, k, v, by=8)


def capped_first_and_masked_after(q, k, v):
    s = 5 * np.tanh(q @ k.swapaxes(-1, -2) / 5) / q.shape[-1] ** 0.5
    return softmax(s) * np.tri(*s.shape[-2:]) @ v


def window_but_for_one_query(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    place = np.arange(m) - np.arange(n)[:, None] - (m - n)
    seen = (place <= 0) & (place >= -4) | (n == 1)
    return softmax(np.where(seen, scores(q, k), LOWEST)) @ v


def padded_window(q, k, v):
    """Keys of 0 fill a block of 4, and the last queries see some of them."""
    n = k.shape[-2]
    width = [(0, 0), (0, 0), (0, -n % 4), (0, 0)]
    k, v = np.pad(k, width), np.pad(v, width)
    place = np.arange(k.shape[-2]) - np.arange(q.shape[-2])[:, None]
    seen = (place >= -3) & (place <= 2)
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


def capped_after_the_mask(q, k, v, mask=None):
    s = scores(q, k)
    s = s if mask is None else s + mask
    return softmax(5 * np.tanh(s / 5)) @ v


def over_heads_of_all(q, k, v):
    raised = np.exp(scores(q, k))
    return raised / raised.sum((0, 1), keepdims=True) @ v


SECOND = {
    "not_below_0": masked(lambda s, mask: np.where(mask >= 0, s, -1e9)),
    "of_the_last_query": masked(lambda s, mask: np.where(mask[..., -1:, :], s, -1e9)),
    "lowered": masked(lambda s, mask: s + np.where(mask, 0, -1e4)),
    "only_below_0": masked(lambda s, mask: s + np.minimum(mask, 0)),
    "in_one_head": masked(
        lambda s, mask: (
            s + mask * np.where(np.arange(s.shape[1]) == 1, 0.5, 1.0)[:, None, None]
        )
    ),
    "transposed_where_square": masked(
        lambda s, mask: np.where(
            mask.swapaxes(-1, -2) if mask.shape[-1] == mask.shape[-2] else mask, s, -1e9
        )
    ),
    "of_the_first_sentence": masked(
        lambda s, mask: s + np.broadcast_to(mask, s.shape)[:1]
    ),
    "clipped": of_scores(lambda s: s.clip(-50, 50)),
    "by_both": scaled(lambda q, v: (q.shape[-1] + v.shape[-1]) ** 0.5),
    "by_least": scaled(lambda q, v: min(q.shape[-1], v.shape[-1]) ** 0.5),
    "by_half": scaled(lambda q, v: 2 * q.shape[-1]),
    "by_queries": scaled(lambda q, v: np.log2(1 + q.shape[-2]) ** 3),
    "root_of_128_at_most": scaled(lambda q, v: min(q.shape[-1], 128) ** 0.5),
}
