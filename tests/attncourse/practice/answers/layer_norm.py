"""Right and wrong answers for layer_norm, in several styles."""

import math
import statistics

import numpy as np

from attnlib import layer_norm
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


EPS = 1e-5


@right
def by_loops(x, gain, bias):
    if x.ndim > 1:
        return [by_loops(row, gain, bias) for row in x]
    mean = sum(x) / len(x)
    variance = sum((number - mean) ** 2 for number in x) / len(x)
    parts = zip(x, gain, bias, strict=True)
    return [g * (a - mean) / math.sqrt(variance + EPS) + b for a, g, b in parts]


@right
def by_var(x, gain, bias):
    root = np.sqrt(x.var(-1, keepdims=True) + EPS)
    return (x - x.mean(-1, keepdims=True)) / root * gain + bias


@right
def in_place(x, gain, bias):
    x = x.copy()
    x -= x.mean(-1)[..., None]
    x /= np.sqrt(np.einsum("...d,...d->...", x, x) / x.shape[-1] + EPS)[..., None]
    x *= gain
    x += bias
    return x


@right
def in_float32(x, gain, bias):
    return by_var(x.astype("f4"), gain.astype("f4"), bias.astype("f4"))


def normal(axis=-1, ddof=0):
    def answer(x, gain, bias):
        mean, var = x.mean(axis, keepdims=True), x.var(axis, ddof=ddof, keepdims=True)
        return gain * (x - mean) / np.sqrt(var + EPS) + bias

    return answer


@wrong("epsilon-outside-root")
def outside_by_loops(x, gain, bias):
    if x.ndim > 1:
        return np.array([outside_by_loops(row, gain, bias) for row in x])
    return gain * (x - x.mean()) / (statistics.pstdev(map(float, x)) + EPS) + bias


@wrong("unbiased-variance")
def unbiased_by_loops(x, gain, bias):
    if x.ndim > 1:
        return np.array([unbiased_by_loops(row, gain, bias) for row in x])
    variance = statistics.variance(map(float, x))
    return gain * (x - x.mean()) / (variance + EPS) ** 0.5 + bias


@wrong("wrong-axis")
def columns_by_loops(x, gain, bias):
    if x.ndim > 2:
        return np.array([columns_by_loops(one, gain, bias) for one in x])
    one = np.ones(len(x))
    done = np.transpose([by_loops(column, one, 0 * one) for column in x.T])
    return gain * done + bias


right(layer_norm)
wrong("epsilon-outside-root")(
    lambda x, g, b: (
        g * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + EPS) + b
    )
)
wrong("wrong-axis")(
    normal(axis=0),
    normal(axis=-2),
    normal(axis=None),
    lambda x, g, b: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var() + EPS) * g + b,
    lambda x, g, b: g * (x - x.mean(0)) / np.sqrt(x.var(0) + EPS) + b,
    normal(axis=1),
)
wrong("unbiased-variance")(normal(ddof=1))
wrong("epsilon-missing")(
    lambda x, g, b: g * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + b
)
wrong("other-epsilon")(
    lambda x, g, b: layer_norm(x, g, b, eps=1e-6),
    lambda x, g, b: layer_norm(x, g, b, eps=1e-12),
)
wrong("variance-not-rooted")(
    lambda x, g, b: (
        g * (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + EPS) + b
    )
)
wrong("mean-not-subtracted")(
    lambda x, g, b: g * x / np.sqrt(x.var(-1, keepdims=True) + EPS) + b,
    lambda x, g, b: g * x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) + b,
)
wrong("gain-ignored")(lambda x, g, b: layer_norm(x, np.ones_like(g), b))
wrong("bias-ignored")(lambda x, g, b: layer_norm(x, g))
wrong("gain-bias-swapped")(lambda x, g, b: layer_norm(x, b, g))
wrong("bias-before-gain")(lambda x, g, b: g * (layer_norm(x, np.ones_like(g)) + b))


@wrong("unbiased-variance", "epsilon-outside-root")
def two_at_once(x, gain, bias):
    centered = x - x.mean(-1, keepdims=True)
    return gain * centered / (x.std(-1, ddof=1, keepdims=True) + EPS) + bias


wrong("unbiased-variance", "wrong-axis")(normal(axis=None, ddof=1), normal(0, ddof=1))
