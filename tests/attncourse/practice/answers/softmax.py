"""Right and wrong answers for softmax, in several styles."""

import math

import numpy as np

from attnlib import softmax
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


@right
def by_loops(x):
    if x.ndim > 1:
        return [by_loops(row) for row in x]
    largest = max(x)
    powers = [math.exp(number - largest) for number in x]
    total = sum(powers)
    return [power / total for power in powers]


@right
def in_place(x):
    x = np.array(x)
    x -= x.max(-1, keepdims=True)
    np.exp(x, out=x)
    x /= np.einsum("...n->...", x)[..., None]
    return x


@right
def by_logarithms(x):
    top = x.max(-1, keepdims=True)
    return np.exp(x - top - np.log(np.exp(x - top).sum(-1, keepdims=True)))


@right
def in_float32(x):
    x = x.astype("f4")
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


@wrong("wrong-axis")
def columns(x):
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)


@wrong("wrong-axis")
def columns_by_loops(x):
    if x.ndim > 2:
        return np.array([columns_by_loops(one) for one in x])
    return np.transpose([by_loops(column) for column in x.T])


def columns_without_largest(x):
    return np.exp(x) / np.exp(x).sum(axis=-2, keepdims=True)


@wrong("wrong-axis")
def sums_down_only(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


@wrong("wrong-axis")
def first_of_batch(x):
    powers = np.exp(x - x.max())
    return powers / np.einsum("i...->...", powers)


@wrong("wrong-axis")
def always_axis_1(x):
    powers = np.exp(x - np.max(x, axis=1, keepdims=True))
    return powers / np.sum(powers, axis=1, keepdims=True)


@wrong("overflow")
def naive(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


@wrong("overflow")
def naive_by_loops(x):
    if x.ndim > 1:
        return [naive_by_loops(row) for row in x]
    powers = [math.exp(number) for number in x]
    return [power / sum(powers) for power in powers]


@wrong("underflow")
def largest_of_everything(x):
    powers = np.exp(x - x.max())
    return powers / powers.sum(-1, keepdims=True)


@wrong("overflow")
def mean_instead_of_largest(x):
    powers = np.exp(x - x.mean(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


@wrong("overflow")
def smallest_instead_of_largest(x):
    powers = np.exp(x - x.min(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


@wrong("overflow")
def holes_filled(x):
    return np.nan_to_num(naive(x))


@wrong("normalized-over-everything")
def over_everything(x):
    return np.exp(x) / np.exp(x).sum()


@wrong("normalized-over-everything")
def over_everything_by_loops(x):
    total = sum(math.exp(n - x.max()) for n in x.ravel())
    return np.reshape([math.exp(n - x.max()) / total for n in x.flat], x.shape)


right(softmax)
wrong("wrong-axis")(columns_without_largest)
wrong("not-normalized")(
    np.exp,
    lambda x: np.exp(x - x.max(-1, keepdims=True)),
    lambda x: 1 / (1 + np.exp(-x)),
    lambda x: naive(np.clip(x, -9, 9)) * 2,
    lambda x: np.exp(x) / x.shape[-1],
    lambda x: np.abs(x) + 1,
    lambda x: x**2,
    lambda x: [[math.exp(n) for n in row] for row in x] if x.ndim == 2 else np.exp(x),
    lambda x: np.log1p(np.exp(np.clip(x, -50, 50))),
)
wrong("wrong-axis", "overflow")(columns_without_largest)
wrong("no-exponential")(lambda x: x / x.sum(-1, keepdims=True))


@wrong("keepdims-forgotten")
def keepdims_forgotten(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


wrong("sign-flipped")(lambda x: softmax(-x))
wrong("log-softmax")(lambda x: x - np.log(np.exp(x).sum(-1))[..., None])
wrong("base-two")(lambda x: softmax(x * math.log(2)))
wrong("winner-takes-all")(lambda x: (x == x.max(-1)[..., None]) * 1.0)


@wrong("scores-clipped")
def clipped(x):
    return soft(np.clip(x, -700, 700))


@wrong("scores-clipped")
def clipped_above(x):
    powers = np.exp(np.minimum(x, 700))
    return powers / powers.sum(axis=-1, keepdims=True)


@wrong("largest-left-in")
def largest_above_the_line_alone(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / np.exp(x).sum(axis=-1, keepdims=True)


@wrong("subtracted-too-late")
def largest_subtracted_late(x):
    powers = np.exp(x)
    powers = powers - powers.max(axis=-1, keepdims=True)
    return powers / powers.sum(axis=-1, keepdims=True)


@wrong("no-exponential")
def distances_to_the_smallest(x):
    x = x - x.min(axis=-1, keepdims=True)
    return x / x.sum(axis=-1, keepdims=True)


@wrong("one-too-many-below")
def one_more(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / (1 + powers.sum(axis=-1, keepdims=True))


@wrong("no-exponential")
def lifted_scores(x):
    lifted = x - x.min(axis=-1, keepdims=True) + 1
    return lifted / lifted.sum(axis=-1, keepdims=True)
