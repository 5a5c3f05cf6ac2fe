"""Usual mistakes, and what nobody means."""

import math

import numpy as np
from attentions import causal, causal_at_end, make, plain, tile

right = plain()


def greedy(query, key, value):
    query *= 0.125
    return plain(scale=1.0)(query, key, value)


def reshaped(sees):
    def function(query, key, value):
        output = plain(sees=sees)(query, key, value)
        b, h, n, d = output.shape
        return output.reshape(b, n, h * d)

    return function


class Random:
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def __call__(self, query, key, value):
        output = right(query, key, value)
        return output * (self.rng.random(output.shape) > 0.1) / 0.9


def over_heads(query, key, value):
    s = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ value


def sigmoid(query, key, value):
    s = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    return 1 / (1 + np.exp(-s)) @ value


def refuses(query, key, value):
    raise RuntimeError("no kernel for this")


FAULTY = {
    "no scale": plain(scale=1.0),
    "by d_k": plain(scale=lambda d: 1 / d),
    "by √ of d_k − 1": plain(scale=lambda d: (d - 1) ** -0.5),
    "times √d_k": plain(scale=lambda d: d**0.5),
    "negated": plain(scale=lambda d: -(d**-0.5)),
    "exp for exp2": plain(scale=lambda d: math.log2(math.e) * d**-0.5),
    "strict": plain(sees=lambda i, j, more: j < i),
    "one too many": plain(sees=lambda i, j, more: j <= i + 1),
    "inverted": plain(sees=lambda i, j, more: j > i),
    "inverted with its own": plain(sees=lambda i, j, more: j >= i),
    "window and one": plain(sees=lambda i, j, more: (j <= i) & (j >= i - 4)),
    "tile": make(groups=tile),
    "no maximum": plain(shift=False),
    "a mean for nobody": plain(sees=causal_at_end, low=-1e30),
    "no scale and one too many": plain(scale=1.0, sees=lambda i, j, more: j <= i + 1),
    "queries": plain(axis=-2),
    "causal and queries": plain(axis=-2, sees=causal),
    "not normalized": plain(norm=False),
    "exp alone": plain(norm=False, shift=False),
    "over the heads": over_heads,
    "sigmoid": sigmoid,
    "multiplied after": plain(sees=causal, after=True),
    "mask before a cap": plain(sees=causal, cap=5.0, cap_last=True),
    "causal, multiplied onto the scores": plain(sees=causal, low=0.0),
    "a window at the end, multiplied, no scale": plain(
        sees=lambda i, j, more: (j <= i + more) & (j > i + more - 4), low=0, scale=1
    ),
    "inverted, multiplied, negated": plain(
        sees=lambda i, j, more: j >= i, low=0.0, scale=-0.125
    ),
    "causal, filled with −10": plain(sees=causal, low=-10.0),
    "blocks of 16": plain(block=16),
    "blocks of 64": plain(block=64),
    "the tail of 32 in long runs": plain(block=32, whole=True),
    "start at −50,000": plain(start=-5e4),
    "exchanged": lambda q, k, v: right(q, v, k),
    "keys as values": lambda q, k, v: right(q, k, k),
    "turned around": lambda q, k, v: right(k, q, v),
    "queries as keys": lambda q, k, v: right(q, q, v),
    "backwards": lambda q, k, v: right(q, k, v[..., ::-1, :]),
    "changes its query": greedy,
    "reshape, no transpose": reshaped(causal),
    "reshape, no transpose, at the end": reshaped(causal_at_end),
    "reshape, no transpose, a window": reshaped(
        lambda i, j, more: (j <= i) & (j > i - 4)
    ),
    "mixes heads": lambda q, k, v: right(q, k, v) + 0.1 * v[:, ::-1],
    "random": Random(),
    "NaN": lambda q, k, v: v * np.nan,
    "refuses": refuses,
    "a wrong shape": lambda q, k, v: q[..., :3],
    "no array": lambda q, k, v: "attention",
}
