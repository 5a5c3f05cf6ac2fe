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


def reshaped(q, k, v):
    turned = k.reshape(*k.shape[:2], k.shape[3], k.shape[2])
    return softmax(q @ turned / q.shape[-1] ** 0.5) @ v


def begins_anew(q, k, v):
    place = PLACE[: q.shape[2]] % 64
    seen = PLACE[: k.shape[2]] <= place[:, None]
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


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
