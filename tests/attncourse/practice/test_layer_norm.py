"""Wrong and right answers for layer_norm, in several styles."""

import math
import statistics

import numpy as np
import pytest

from attnlib import layer_norm
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "layer_norm"
EPS = 1e-5


def by_loops(x, gain, bias):
    if x.ndim > 1:
        return [by_loops(row, gain, bias) for row in x]
    mean = sum(x) / len(x)
    variance = sum((number - mean) ** 2 for number in x) / len(x)
    parts = zip(x, gain, bias, strict=True)
    return [g * (a - mean) / math.sqrt(variance + EPS) + b for a, g, b in parts]


def by_var(x, gain, bias):
    root = np.sqrt(x.var(-1, keepdims=True) + EPS)
    return (x - x.mean(-1, keepdims=True)) / root * gain + bias


def in_place(x, gain, bias):
    x = x.copy()
    x -= x.mean(-1)[..., None]
    x /= np.sqrt(np.einsum("...d,...d->...", x, x) / x.shape[-1] + EPS)[..., None]
    x *= gain
    x += bias
    return x


def in_float32(x, gain, bias):
    return by_var(x.astype("f4"), gain.astype("f4"), bias.astype("f4"))


@pytest.mark.parametrize("answer", [layer_norm, by_loops, by_var, in_place, in_float32])
def test_right(answer):
    assert_passes(NAME, answer)


def normal(axis=-1, ddof=0):
    def answer(x, gain, bias):
        mean, var = x.mean(axis, keepdims=True), x.var(axis, ddof=ddof, keepdims=True)
        return gain * (x - mean) / np.sqrt(var + EPS) + bias

    return answer


def outside_by_loops(x, gain, bias):
    if x.ndim > 1:
        return np.array([outside_by_loops(row, gain, bias) for row in x])
    return gain * (x - x.mean()) / (statistics.pstdev(map(float, x)) + EPS) + bias


def unbiased_by_loops(x, gain, bias):
    if x.ndim > 1:
        return np.array([unbiased_by_loops(row, gain, bias) for row in x])
    variance = statistics.variance(map(float, x))
    return gain * (x - x.mean()) / (variance + EPS) ** 0.5 + bias


def columns_by_loops(x, gain, bias):
    if x.ndim > 2:
        return np.array([columns_by_loops(one, gain, bias) for one in x])
    one = np.ones(len(x))
    done = np.transpose([by_loops(column, one, 0 * one) for column in x.T])
    return gain * done + bias


WRONG = {
    "epsilon-outside-root": [
        lambda x, g, b: (
            g * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + EPS) + b
        ),
        outside_by_loops,
    ],
    "wrong-axis": [
        normal(axis=0),
        normal(axis=-2),
        normal(axis=None),
        columns_by_loops,
        lambda x, g, b: (
            (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var() + EPS) * g + b
        ),
        lambda x, g, b: g * (x - x.mean(0)) / np.sqrt(x.var(0) + EPS) + b,
        normal(axis=1),
    ],
    "unbiased-variance": [normal(ddof=1), unbiased_by_loops],
    "epsilon-missing": [
        lambda x, g, b: (
            g * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + b
        ),
    ],
    "other-epsilon": [
        lambda x, g, b: layer_norm(x, g, b, eps=1e-6),
        lambda x, g, b: layer_norm(x, g, b, eps=1e-12),
    ],
    "variance-not-rooted": [
        lambda x, g, b: (
            g * (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + EPS) + b
        ),
    ],
    "mean-not-subtracted": [
        lambda x, g, b: g * x / np.sqrt(x.var(-1, keepdims=True) + EPS) + b,
        lambda x, g, b: g * x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) + b,
    ],
    "gain-ignored": [lambda x, g, b: layer_norm(x, np.ones_like(g), b)],
    "bias-ignored": [lambda x, g, b: layer_norm(x, g)],
    "gain-bias-swapped": [lambda x, g, b: layer_norm(x, b, g)],
    "bias-before-gain": [lambda x, g, b: g * (layer_norm(x, np.ones_like(g)) + b)],
}
CASES = [(code, answer) for code, answers in WRONG.items() for answer in answers]


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_wrong(code, answer):
    assert_found(NAME, code, answer)


def test_two_at_once():
    def answer(x, gain, bias):
        centred = x - x.mean(-1, keepdims=True)
        return gain * centred / (x.std(-1, ddof=1, keepdims=True) + EPS) + bias

    assert_found(NAME, {"unbiased-variance", "epsilon-outside-root"}, answer)
