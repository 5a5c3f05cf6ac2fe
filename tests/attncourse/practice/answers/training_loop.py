"""Right and wrong answers for training_loop, in several styles."""

import math

import numpy as np

from attncourse.toys.gradients import cross_entropy_vjp
from attnlib import scaled_dot_product_attention, softmax
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


@right
def loop(
    x, w, ids, rate, steps, *, causal=True, shift=1, mean=True, sign=-1, softmax=soft
):
    heads = scaled_dot_product_attention(x, x, x, is_causal=causal)
    asked, targets = heads[: len(ids) - shift], ids[shift:]
    for _ in range(steps):
        grad = softmax(asked @ w)
        grad[np.arange(len(targets)), targets] -= 1
        w = w + sign * rate * asked.T @ grad / (len(targets) if mean else 1)
    return w


@right
def by_vjp(x, w, ids, rate, steps):
    asked = scaled_dot_product_attention(x, x, x, is_causal=True)[:-1]
    each = np.full(len(asked), 1 / len(asked))
    for _ in range(steps):
        w = w - rate * asked.T @ cross_entropy_vjp(asked @ w, ids[1:], each)
    return w


@right
def by_loops(x, w, ids, rate, steps):
    """Add up the gradient place by place and word by word."""
    heads, w = scaled_dot_product_attention(x, x, x, is_causal=True), w.tolist()
    (n, d), v = x.shape, len(w[0])
    for _ in range(steps):
        grad = [[0.0] * v for _ in range(d)]
        for row, target in zip(heads[:-1].tolist(), ids[1:], strict=True):
            logits = [sum(row[k] * w[k][j] for k in range(d)) for j in range(v)]
            powers = [math.exp(z) for z in logits]
            for j in range(v):
                error = powers[j] / sum(powers) - (j == target)
                for k in range(d):
                    grad[k][j] += row[k] * error / (n - 1)
        w = [[w[k][j] - rate * grad[k][j] for j in range(v)] for k in range(d)]
    return w


def different(**options):
    return lambda *inputs: loop(*inputs, **options)


@wrong("gradient-computed-once")
def stale(x, w, ids, rate, steps):
    return w + steps * (loop(x, w, ids, rate, 1) - w)


@wrong("wraps-around")
def wrapped(x, w, ids, rate, steps):
    return loop(x, w, np.roll(ids, -1), rate, steps, shift=0)


wrong("mask-forgotten")(different(causal=False))
wrong("targets-not-shifted")(different(shift=0))
wrong("gradient-not-averaged")(different(mean=False))
wrong("uphill")(different(sign=1))
wrong("wrong-axis")(different(softmax=lambda z: soft(z.T).T))
wrong("wrong-number-of-steps")(lambda x, w, ids, rate, steps: loop(x, w, ids, rate, 1))
wrong("mask-forgotten", "gradient-not-averaged")(different(causal=False, mean=False))


@wrong("mask-after-softmax")
def zeroed_after(x, w_output, token_ids, learning_rate, n_steps):
    weights = softmax(x @ x.T / np.sqrt(x.shape[-1])) * np.tri(len(x))
    heads, targets = (weights @ x)[:-1], token_ids[1:]
    for _ in range(n_steps):
        gap = softmax(heads @ w_output)
        gap[np.arange(len(targets)), targets] -= 1
        w_output = w_output - learning_rate * heads.T @ gap / len(targets)
    return w_output
