"""Usual mistakes, and what nobody means."""

import numpy as np
from attentions import causal, causal_at_end, plain

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


def refuses(query, key, value):
    raise RuntimeError("no kernel for this")


FAULTY = {
    "no scale": plain(scale=1.0),
    "strict": plain(sees=lambda i, j, more: j < i),
    "one too many": plain(sees=lambda i, j, more: j <= i + 1),
    "inverted": plain(sees=lambda i, j, more: j > i),
    "no maximum": plain(shift=False),
    "queries": plain(axis=-2),
    "causal and queries": plain(axis=-2, sees=causal),
    "exp alone": plain(norm=False, shift=False),
    "multiplied after": plain(sees=causal, after=True),
    "mask before a cap": plain(sees=causal, cap=5.0, cap_last=True),
    "inverted, multiplied, negated": plain(
        sees=lambda i, j, more: j >= i, low=0.0, scale=-0.125
    ),
    "blocks of 16": plain(block=16),
    "blocks of 64": plain(block=64),
    "the tail of 32 in long runs": plain(block=32, whole=True),
    "exchanged": lambda q, k, v: right(q, v, k),
    "queries as keys": lambda q, k, v: right(q, q, v),
    "backwards": lambda q, k, v: right(q, k, v[..., ::-1, :]),
    "changes its query": greedy,
    "reshape, no transpose": reshaped(causal),
    "reshape, no transpose, at the end": reshaped(causal_at_end),
    "mixes heads": lambda q, k, v: right(q, k, v) + 0.1 * v[:, ::-1],
    "random": Random(),
    "NaN": lambda q, k, v: v * np.nan,
    "refuses": refuses,
    "no array": lambda q, k, v: "attention",
}
