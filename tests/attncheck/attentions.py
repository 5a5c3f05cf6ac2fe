"""Attention written out by hand, with each convention as a keyword: right and wrong."""

import math

import numpy as np

from attnlib import softmax


def rope(x, pairs=False, base=10_000.0):
    n, d = x.shape[-2:]
    angle = np.arange(n)[:, None] / base ** (np.arange(0, d, 2) / d)
    cos, sin = np.cos(angle), np.sin(angle)
    out = np.empty_like(x, dtype=np.float64)
    first = np.arange(0, d, 2) if pairs else np.arange(d // 2)
    second = first + (1 if pairs else d // 2)
    a, b = x[..., first], x[..., second]
    out[..., first], out[..., second] = a * cos - b * sin, a * sin + b * cos
    return out


def make(
    *,
    scale=None,
    axis=-1,
    cap=None,
    sees=None,
    shift=True,
    norm=True,
    groups=np.repeat,
    sink=None,
    block=None,
    whole=False,
    after=False,
    cap_last=False,
    low=-math.inf,
    turn=None,
    start=None,
):
    """Return a function of query, key and value, (b, h, n, d)."""

    def attention(query, key, value):
        dtype = query.dtype
        q, k, v = (x.astype(np.float64) for x in (query, key, value))
        if q.shape[1] != k.shape[1]:
            k, v = (groups(x, q.shape[1] // x.shape[1]) for x in (k, v))
        if turn:
            q, k = turn(q), turn(k)
        c = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
        s = q @ k.swapaxes(-1, -2) * (c(q.shape[-1]) if callable(c) else c)
        n, m = s.shape[-2:]
        i, j = np.arange(n)[:, None], np.arange(m)
        allowed = sees(i, j, m - n) if sees else np.ones((n, m), bool)
        if cap and not cap_last:
            s = cap * np.tanh(s / cap)
        if not after:
            s = np.where(allowed, s, low)
        if cap and cap_last:
            s = cap * np.tanh(s / cap)
        top = s.max(axis, keepdims=True) if shift else 0.0
        if start is not None:
            top = np.maximum(top, start)
        e = np.exp(s - top)
        if block and m % block and not (whole and m < 2 * block):
            e[..., m - m % block :] = 0
        total = e.sum(axis, keepdims=True)
        if sink is not None:
            total = total + np.exp(sink - top)
        w = e / total if norm else e
        return (np.where(allowed, w, 0) @ v if after else w @ v).astype(dtype)

    return attention


def repeat(x, g):
    return np.repeat(x, g, axis=1)


def tile(x, g):
    return np.tile(x, (1, g, 1, 1))


def plain(**keywords):
    return make(groups=repeat, **keywords)


def causal(i, j, more):
    return j <= i


def causal_at_end(i, j, more):
    return j <= i + more


def scores(q, k):
    return q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5


def of_scores(rule):
    """Return attention by a rule of its scores."""
    return lambda query, key, value: softmax(rule(scores(query, key))) @ value


def scaled(rule):
    """Return attention whose scores are divided by a rule of query and value."""

    def attention(query, key, value):
        return softmax(query @ key.swapaxes(-1, -2) / rule(query, value)) @ value

    return attention


def masked(rule):
    """Return attention with a mask, if there is one: a rule of scores and mask."""

    def attention(query, key, value, mask=None):
        s = scores(query, key)
        return softmax(s if mask is None else rule(s, mask)) @ value

    return attention
