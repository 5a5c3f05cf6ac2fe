"""Wrong and right answers for softmax, in several styles."""

import math

import numpy as np
import pytest

from attnlib import softmax
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "softmax"


def by_loops(x):
    if x.ndim > 1:
        return [by_loops(row) for row in x]
    largest = max(x)
    powers = [math.exp(number - largest) for number in x]
    total = sum(powers)
    return [power / total for power in powers]


def in_place(x):
    x = np.array(x)
    x -= x.max(-1, keepdims=True)
    np.exp(x, out=x)
    x /= np.einsum("...n->...", x)[..., None]
    return x


def by_logarithms(x):
    top = x.max(-1, keepdims=True)
    return np.exp(x - top - np.log(np.exp(x - top).sum(-1, keepdims=True)))


def in_float32(x):
    x = x.astype("f4")
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


@pytest.mark.parametrize(
    "answer", [softmax, by_loops, in_place, by_logarithms, in_float32]
)
def test_right(answer):
    assert_passes(NAME, answer)


def columns(x):
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)


def columns_by_loops(x):
    if x.ndim > 2:
        return np.array([columns_by_loops(one) for one in x])
    return np.transpose([by_loops(column) for column in x.T])


def columns_without_largest(x):
    return np.exp(x) / np.exp(x).sum(axis=-2, keepdims=True)


def sums_down_only(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


def first_of_batch(x):
    powers = np.exp(x - x.max())
    return powers / np.einsum("i...->...", powers)


def always_axis_1(x):
    powers = np.exp(x - np.max(x, axis=1, keepdims=True))
    return powers / np.sum(powers, axis=1, keepdims=True)


@pytest.mark.parametrize(
    "answer",
    [
        columns,
        columns_by_loops,
        columns_without_largest,
        sums_down_only,
        first_of_batch,
        always_axis_1,
    ],
)
def test_wrong_axis(answer):
    assert_found(NAME, "wrong-axis", answer)


def naive(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


def naive_by_loops(x):
    if x.ndim > 1:
        return [naive_by_loops(row) for row in x]
    powers = [math.exp(number) for number in x]
    return [power / sum(powers) for power in powers]


def largest_of_everything(x):
    powers = np.exp(x - x.max())
    return powers / powers.sum(-1, keepdims=True)


def test_one_maximum_for_all_rows_is_underflow():
    assert_found(NAME, "underflow", largest_of_everything)


def mean_instead_of_largest(x):
    powers = np.exp(x - x.mean(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def smallest_instead_of_largest(x):
    powers = np.exp(x - x.min(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def holes_filled(x):
    return np.nan_to_num(naive(x))


@pytest.mark.parametrize(
    "answer",
    [
        naive,
        naive_by_loops,
        mean_instead_of_largest,
        smallest_instead_of_largest,
        holes_filled,
    ],
)
def test_overflow(answer):
    assert_found(NAME, "overflow", answer)


@pytest.mark.parametrize(
    "answer",
    [
        np.exp,
        lambda x: np.exp(x - x.max(-1, keepdims=True)),
        lambda x: 1 / (1 + np.exp(-x)),
        lambda x: naive(np.clip(x, -9, 9)) * 2,
        lambda x: np.exp(x) / x.shape[-1],
        lambda x: np.abs(x) + 1,
        lambda x: x**2,
        lambda x: (
            [[math.exp(n) for n in row] for row in x] if x.ndim == 2 else np.exp(x)
        ),
        lambda x: np.log1p(np.exp(np.clip(x, -50, 50))),
    ],
)
def test_not_normalized(answer):
    assert_found(NAME, "not-normalised", answer)


def over_everything(x):
    return np.exp(x) / np.exp(x).sum()


def over_everything_by_loops(x):
    total = sum(math.exp(n - x.max()) for n in x.ravel())
    return np.reshape([math.exp(n - x.max()) / total for n in x.flat], x.shape)


@pytest.mark.parametrize("answer", [over_everything, over_everything_by_loops])
def test_normalized_over_everything(answer):
    assert_found(NAME, "normalised-over-everything", answer)


def test_mistake_and_overflow_are_both_named():
    assert_found(NAME, {"wrong-axis", "overflow"}, columns_without_largest)


def test_no_exponential():
    assert_found(NAME, "no-exponential", lambda x: x / x.sum(-1, keepdims=True))


def test_keepdims_forgotten():
    def answer(x):
        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1)

    assert_found(NAME, "keepdims-forgotten", answer)


def test_sign_flipped():
    assert_found(NAME, "sign-flipped", lambda x: softmax(-x))


def test_logarithm_left_in():
    assert_found(
        NAME, "log-softmax", lambda x: x - np.log(np.exp(x).sum(-1))[..., None]
    )


def test_another_base():
    assert_found(NAME, "base-two", lambda x: softmax(x * math.log(2)))


def test_only_the_largest():
    assert_found(NAME, "winner-takes-all", lambda x: (x == x.max(-1)[..., None]) * 1.0)
