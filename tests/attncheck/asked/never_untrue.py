"""Attentions that are hard to tell from outside."""

import numpy as np
from attentions import scores

from attncheck.formats import round_to
from attnlib import rotary_embedding, softmax

PLACE = np.arange(600)


def causal(q, k):
    return PLACE[: k.shape[-2]] <= PLACE[: q.shape[-2], None]


def plain(q, k, v):
    return softmax(scores(q, k)) @ v


def both_reversed(q, k, v):
    return plain(q, k[:, ::-1], v[:, ::-1])


def in_steps(q, k, v):
    return np.round(softmax(scores(q, k)) * 255) / 255 @ v


def wrapped_keys(q, k, v):
    return plain(q, k[:, :, PLACE[: k.shape[2]] % 128], v)


def last_column_lost(q, k, v):
    output = plain(q, k, v)
    output[..., -1] = 0
    return output


def reshaped(q, k, v):
    turned = k.reshape(*k.shape[:2], k.shape[3], k.shape[2])
    return softmax(q @ turned / q.shape[-1] ** 0.5) @ v


def begins_anew(q, k, v):
    place = PLACE[: q.shape[2]] % 64
    seen = PLACE[: k.shape[2]] <= place[:, None]
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


def filled_with_100(q, k, v):
    return softmax(np.where(causal(q, k), scores(q, k), -100.0)) @ v


def softplus(q, k, v):
    raised = np.logaddexp(0, scores(q, k))
    return raised / raised.sum(-1, keepdims=True) @ v


def inverted(q, k, v):
    seen = PLACE[: k.shape[2]] >= PLACE[: q.shape[2], None]
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


def not_divided(q, k, v):
    s = scores(q, k)
    return np.exp(s - s.max(-1, keepdims=True)) @ v


def slower(q, k, v):
    q, k = (rotary_embedding(x, positions=PLACE[: x.shape[2]] / 2) for x in (q, k))
    return plain(q, k, v)


def of_no_base(q, k, v):
    """Neighbors are turned by the table of halves: a pair has two angles."""
    place, d = PLACE[: q.shape[2], None], q.shape[-1]
    angles = np.tile(place * 1e4 ** (-2 * PLACE[: d // 2] / d), 2)

    def turned(x):
        crossed = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
        return x * np.cos(angles) + crossed * np.sin(angles)

    return plain(turned(q), turned(k), v)


def by_width(q, k, v):
    """The scale of the model's width, with groups."""
    k, v = (np.repeat(x, q.shape[1] // k.shape[1], 1) for x in (k, v))
    width = q.shape[1] * q.shape[3]
    return softmax(q @ k.swapaxes(-1, -2) / width**0.5) @ v


def next_key_heads(q, k, v):
    return plain(q, np.roll(k, -1, 1), np.roll(v, -1, 1))


def buffer_of_128(q, k, v):
    n, m = q.shape[2], k.shape[2]
    seen = (PLACE[:m] <= PLACE[:n, None]) | (PLACE[:n, None] >= 128)
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


def maximum_of_16(q, k, v):
    s = scores(q, k)
    raised = np.exp(s - s[..., :16].max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True) @ v


def in_eight_bits(q, k, v):
    return plain(round_to(q, "bfloat16"), round_to(k, "bfloat16"), v)


def maximum_from_0(q, k, v):
    s = scores(q, k)
    w = np.exp(s - np.maximum(s.max(-1, keepdims=True), 0))
    return w / w.sum(-1, keepdims=True) @ v


def values_one_late(q, k, v):
    n, m = q.shape[2], k.shape[2]
    q, k = (rotary_embedding(x, positions=PLACE[: x.shape[2]]) for x in (q, k))
    seen = PLACE[:m] <= PLACE[:n, None] + m - n
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ np.roll(v, 1, axis=2)


def last_block_moved_back(q, k, v):
    """Rows of the last block of 4 have the mask of the rows that they took it from."""
    n = q.shape[2]
    rows = PLACE[:n].copy()
    if n > 4 and n % 4:
        rows[-4:] += -n % 4
    seen = PLACE[: k.shape[2]] <= rows[:, None]
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v
