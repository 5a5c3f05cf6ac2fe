"""Wrong and right answers for log_softmax, in several styles."""

import math

import numpy as np
import pytest

from attncourse.practice import check
from attnlib import softmax
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "log_softmax"


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


def by_logaddexp(x):
    total = x[..., 0]
    for i in range(1, x.shape[-1]):
        total = np.logaddexp(total, x[..., i])
    return x - total[..., None]


def in_place(x):
    x = x.copy()
    x -= x.max(-1, keepdims=True)
    x -= np.log(np.einsum("...n->...", np.exp(x)))[..., None]
    return x


def in_float32(x):
    x = x.astype("f4")
    x = x - np.max(x, axis=-1, keepdims=True)
    return x - np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


def by_logaddexp_at_once(x):
    return x - np.logaddexp.reduce(x, axis=-1, keepdims=True)


@pytest.mark.parametrize(
    "answer",
    [by_rows(careful), by_logaddexp, by_logaddexp_at_once, in_place, in_float32],
)
def test_right(answer):
    assert_passes(NAME, answer)


def naive_row(row):
    total = sum(math.exp(number) for number in row)
    return [math.log(math.exp(number) / total) for number in row]


def stable_shares_row(row):
    powers = [math.exp(number - max(row)) for number in row]
    return [math.log(power / sum(powers)) for power in powers]


def naive_total(x):
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: np.log(softmax(x)),
        by_rows(stable_shares_row),
        lambda x: np.log(np.exp(x) / np.exp(x).sum(-1, keepdims=True)),
        by_rows(naive_row),
        naive_total,
        lambda x: np.nan_to_num(np.log(softmax(x))),
        lambda x: np.maximum(np.log(softmax(x)), -1e9),
    ],
)
def test_overflow(answer):
    assert_found(NAME, "overflow", answer)


def test_one_maximum_for_all_rows_is_underflow():
    assert_found(NAME, "underflow", lambda x: naive_total(x - x.max()))


def test_a_zero_weight_is_told_from_a_large_exponential():
    (found,) = check(NAME, lambda x: np.log(softmax(x))).findings
    assert "weight far below 5e-324 is stored as 0" in found.message
    (found,) = check(NAME, naive_total).findings
    assert "exp(710)" in found.message


FLOORS = [
    lambda x: np.log(softmax(x) + 1e-12),
    lambda x: np.log(np.maximum(softmax(x), 1e-300)),
    by_rows(lambda row: [max(number, -100.0) for number in careful(row)]),
]


@pytest.mark.parametrize("answer", FLOORS)
def test_floor_under_logarithm(answer):
    assert_found(NAME, "floor-under-logarithm", answer)


def test_a_floor_is_not_claimed_of_everything_flat():
    for fill, code in ((0.0, "all-zeros"), (-3.0, "numbers-all-alike")):
        report = check(NAME, lambda x, fill=fill: np.full_like(x, fill))
        assert {finding.code for finding in report.findings} == {code}


def columns(x):
    x = x - x.max(axis=-2, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-2, keepdims=True))


def columns_by_loops(x):
    if x.ndim > 2:
        return [columns_by_loops(one) for one in x]
    return np.transpose([careful(list(column)) for column in x.T])


def first_axis(x):
    return x - np.logaddexp.reduce(x, axis=0)


def always_axis_1(x):
    return x - np.logaddexp.reduce(x, axis=1, keepdims=True)


def rows_shifted(summed):
    """Subtract the largest of each row, then the logarithm of other sums."""

    def answer(x):
        x = x - x.max(-1, keepdims=True)
        return x - np.log(summed(np.exp(x)))

    return answer


def everything(x):
    return x - np.logaddexp.reduce(x, axis=None)


def everything_by_loops(x):
    return np.reshape(careful([float(number) for number in x.flat]), x.shape)


def largest_in_one_place(x):
    return x - np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True))


def largest_in_one_place_row(row):
    total = sum(math.exp(number - max(row)) for number in row)
    return [number - math.log(total) for number in row]


def keepdims_forgotten(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1))


def not_a_log_row(row):
    powers = [math.exp(number - max(row)) for number in row]
    return [number - max(row) - sum(powers) for number in row]


WRONG = {
    "softmax-without-log": [
        softmax,
        by_rows(lambda row: [math.exp(number) for number in careful(row)]),
    ],
    "wrong-axis": [
        columns,
        columns_by_loops,
        first_axis,
        always_axis_1,
        rows_shifted(lambda powers: powers.sum(0)),
        rows_shifted(lambda powers: powers.sum(1, keepdims=True)),
        rows_shifted(lambda powers: np.einsum("...ij->...j", powers)[..., None, :]),
    ],
    "normalised-over-everything": [
        everything,
        everything_by_loops,
        rows_shifted(np.sum),
        rows_shifted(lambda powers: np.einsum("...ij->...", powers)[..., None, None]),
        lambda x: x - np.logaddexp.reduce(x, axis=(-2, -1)[-x.ndim :], keepdims=True),
    ],
    "not-normalised": [
        lambda x: np.log(np.exp(x)),
        lambda x: x.astype("f4"),
        lambda x: x - x.max(-1, keepdims=True),
        by_rows(lambda row: [number - max(row) for number in row]),
    ],
    "sum-without-log": [
        lambda x: x - np.exp(x).sum(axis=-1, keepdims=True),
        by_rows(not_a_log_row),
    ],
    "no-exponential": [
        lambda x: np.log(x / x.sum(-1, keepdims=True)),
        lambda x: x - np.log(np.einsum("...n->...", x))[..., None],
    ],
    "largest-left-in": [largest_in_one_place, by_rows(largest_in_one_place_row)],
    "keepdims-forgotten": [
        keepdims_forgotten,
        lambda x: x - np.logaddexp.reduce(x, axis=-1),
    ],
    "sign-flipped": [
        lambda x: -by_logaddexp(x),
        by_rows(lambda row: [-number for number in careful(row)]),
    ],
    "other-base": [
        lambda x: by_logaddexp(x) * math.log2(math.e),
        lambda x: np.log10(np.exp(in_place(x))),
        by_rows(lambda row: [number * math.log10(math.e) for number in careful(row)]),
    ],
}
CASES = [(code, answer) for code, answers in WRONG.items() for answer in answers]


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_wrong(code, answer):
    assert_found(NAME, code, answer)


def test_two_at_once():
    def answer(x):
        return softmax(x, axis=-2)

    assert_found(NAME, {"softmax-without-log", "wrong-axis"}, answer)
