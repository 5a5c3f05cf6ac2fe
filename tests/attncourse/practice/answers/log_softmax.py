"""Right and wrong answers for log_softmax, in several styles."""

import math

import numpy as np

from attnlib import softmax
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


def by_rows(of_row):
    """Row by row, with plain numbers."""

    def answer(x):
        if x.ndim > 1:
            return [answer(row) for row in x]
        return of_row([float(number) for number in x])

    return answer


def careful(row):
    total = sum(math.exp(number - max(row)) for number in row)
    return [number - max(row) - math.log(total) for number in row]


@right
def by_logaddexp(x):
    total = x[..., 0]
    for i in range(1, x.shape[-1]):
        total = np.logaddexp(total, x[..., i])
    return x - total[..., None]


@right
def in_place(x):
    x = x.copy()
    x -= x.max(-1, keepdims=True)
    x -= np.log(np.einsum("...n->...", np.exp(x)))[..., None]
    return x


@right
def in_float32(x):
    x = x.astype("f4")
    x = x - np.max(x, axis=-1, keepdims=True)
    return x - np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


@right
def by_logaddexp_at_once(x):
    return x - np.logaddexp.reduce(x, axis=-1, keepdims=True)


def naive_row(row):
    total = sum(math.exp(number) for number in row)
    return [math.log(math.exp(number) / total) for number in row]


def stable_shares_row(row):
    powers = [math.exp(number - max(row)) for number in row]
    return [math.log(power / sum(powers)) for power in powers]


@wrong("overflow")
def naive_total(x):
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


@wrong("wrong-axis")
def columns(x):
    x = x - x.max(axis=-2, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-2, keepdims=True))


@wrong("wrong-axis")
def columns_by_loops(x):
    if x.ndim > 2:
        return [columns_by_loops(one) for one in x]
    return np.transpose([careful(list(column)) for column in x.T])


@wrong("wrong-axis")
def first_axis(x):
    return x - np.logaddexp.reduce(x, axis=0)


@wrong("wrong-axis")
def always_axis_1(x):
    return x - np.logaddexp.reduce(x, axis=1, keepdims=True)


def rows_shifted(summed):
    """Subtract the largest of each row, then the logarithm of other sums."""

    def answer(x):
        x = x - x.max(-1, keepdims=True)
        return x - np.log(summed(np.exp(x)))

    return answer


@wrong("normalized-over-everything")
def everything(x):
    return x - np.logaddexp.reduce(x, axis=None)


@wrong("normalized-over-everything")
def everything_by_loops(x):
    return np.reshape(careful([float(number) for number in x.flat]), x.shape)


@wrong("largest-left-in")
def largest_in_one_place(x):
    return x - np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True))


def largest_in_one_place_row(row):
    total = sum(math.exp(number - max(row)) for number in row)
    return [number - math.log(total) for number in row]


@wrong("keepdims-forgotten")
def keepdims_forgotten(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1))


def not_a_log_row(row):
    powers = [math.exp(number - max(row)) for number in row]
    return [number - max(row) - sum(powers) for number in row]


right(by_rows(careful))
wrong("overflow")(
    lambda x: np.log(np.exp(x) / np.exp(x).sum(-1, keepdims=True)),
    by_rows(naive_row),
)
wrong("log-of-zero")(
    lambda x: np.log(softmax(x)),
    by_rows(stable_shares_row),
    lambda x: np.nan_to_num(np.log(softmax(x))),
    lambda x: np.maximum(np.log(softmax(x)), -1e9),
)
wrong("underflow")(lambda x: naive_total(x - x.max()))
wrong("floor-under-logarithm")(
    lambda x: np.log(softmax(x) + 1e-12),
    lambda x: np.log(np.maximum(softmax(x), 1e-300)),
    by_rows(lambda row: [max(number, -100.0) for number in careful(row)]),
)
wrong("softmax-without-log")(
    softmax, by_rows(lambda row: [math.exp(number) for number in careful(row)])
)
wrong("wrong-axis")(
    rows_shifted(lambda powers: powers.sum(0)),
    rows_shifted(lambda powers: powers.sum(1, keepdims=True)),
    rows_shifted(lambda powers: np.einsum("...ij->...j", powers)[..., None, :]),
)
wrong("normalized-over-everything")(
    rows_shifted(np.sum),
    rows_shifted(lambda powers: np.einsum("...ij->...", powers)[..., None, None]),
    lambda x: x - np.logaddexp.reduce(x, axis=(-2, -1)[-x.ndim :], keepdims=True),
)
wrong("not-normalized")(
    lambda x: np.log(np.exp(x)),
    lambda x: x.astype("f4"),
    lambda x: x - x.max(-1, keepdims=True),
    by_rows(lambda row: [number - max(row) for number in row]),
)
wrong("sum-without-log")(
    lambda x: x - np.exp(x).sum(axis=-1, keepdims=True), by_rows(not_a_log_row)
)
wrong("no-exponential")(
    lambda x: np.log(x / x.sum(-1, keepdims=True)),
    lambda x: x - np.log(np.einsum("...n->...", x))[..., None],
)
wrong("largest-left-in")(by_rows(largest_in_one_place_row))
wrong("keepdims-forgotten")(lambda x: x - np.logaddexp.reduce(x, axis=-1))
wrong("sign-flipped")(
    lambda x: -by_logaddexp(x),
    by_rows(lambda row: [-number for number in careful(row)]),
)
wrong("other-base")(
    lambda x: by_logaddexp(x) * math.log2(math.e),
    lambda x: np.log10(np.exp(in_place(x))),
    by_rows(lambda row: [number * math.log10(math.e) for number in careful(row)]),
)


@wrong("softmax-without-log", "wrong-axis")
def two_at_once(x):
    return softmax(x, axis=-2)


@wrong("divided-by-the-logarithm")
def quotient_of_logarithms(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted / np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


@wrong("sum-left-out")
def largest_alone_where_the_share_is_zero(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    shares = softmax(x)
    with np.errstate(divide="ignore"):
        return np.where(shares == 0, shifted, np.log(shares))


@wrong("one-added")
def log1p_of_the_sum(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log1p(np.exp(x).sum(axis=-1, keepdims=True))


@wrong("floor-under-logarithm")
def never_below_a_floor(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.log(powers / powers.sum(axis=-1, keepdims=True) + 1e-3)
