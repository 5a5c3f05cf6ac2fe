"""Right and wrong answers to the exercises of lessons 3 and 4, in several styles."""

import math

import numpy as np

from attnlib import softmax
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import naive, soft

right, wrong = answers_of("scale_scores")


@right
def scale_by_loops(scores, d_k):
    if isinstance(scores, np.ndarray) and scores.ndim:
        return [scale_by_loops(row, d_k) for row in scores]
    return scores / math.sqrt(d_k)


wrong("missing-scale")(lambda s, d_k: s)
wrong("scaled-by-d_k")(lambda s, d: s / d)
wrong("scaled-by-n")(
    lambda s, d: s / math.sqrt(s.shape[-1]),
    lambda s, d: s / s.shape[-1],
    lambda s, d: s * s.shape[-2] ** -0.5,
    lambda s, d: s / np.sqrt(len(s)),
)
wrong("multiplied-by-root")(lambda s, d_k: s * math.sqrt(d_k))
wrong("multiplied-by-d_k")(lambda s, d_k: d_k * s)
wrong("scaled-by-square")(lambda s, d_k: s / d_k**2)
wrong("root-precedence")(
    lambda s, d_k: s / (d_k**1 / 2),
    lambda s, d_k: s * d_k**-1 / 2,
    lambda s, d_k: s * d_k**1 / 2,
)
wrong("root-of-scores")(lambda s, d_k: s**0.5 / d_k)
wrong("softmax-too-soon")(lambda scores, d_k: soft(scores / math.sqrt(d_k)))
wrong("root-cut-off")(lambda scores, d_k: scores / int(math.sqrt(d_k)))
wrong("root-cut-off")(lambda s, d_k: s / np.ceil(d_k**0.5))


@wrong("one-piece-wrong", says="called with scores, d_k, in this")
def turned_parameters(d_k, scores):
    return scores / np.sqrt(d_k)


right, wrong = answers_of("softmax")


@right
def by_loops(x):
    if x.ndim > 1:
        return [by_loops(row) for row in x]
    largest = max(x)
    powers = [math.exp(number - largest) for number in x]
    total = sum(powers)
    return [power / total for power in powers]


def columns_without_largest(x):
    return np.exp(x) / np.exp(x).sum(axis=-2, keepdims=True)


@wrong("wrong-axis")
def sums_down_only(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


@wrong("wrong-axis")
def always_axis_1(x):
    powers = np.exp(x - np.max(x, axis=1, keepdims=True))
    return powers / np.sum(powers, axis=1, keepdims=True)


@wrong("underflow")
def largest_of_everything(x):
    powers = np.exp(x - x.max())
    return powers / powers.sum(-1, keepdims=True)


@wrong("overflow")
def holes_filled(x):
    return np.nan_to_num(naive(x))


@wrong("normalized-over-everything", "overflow")
def over_everything(x):
    return np.exp(x) / np.exp(x).sum()


wrong("not-normalized")(np.exp, lambda x: np.abs(x) + 1)
wrong("wrong-axis", "overflow")(columns_without_largest)
wrong("no-exponential")(lambda x: x / x.sum(-1, keepdims=True))


@wrong("keepdims-forgotten")
def keepdims_forgotten(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


wrong("sign-flipped")(lambda x: softmax(-x))
wrong("log-softmax", "overflow")(lambda x: x - np.log(np.exp(x).sum(-1))[..., None])
wrong("base-two")(lambda x: softmax(x * math.log(2)))
wrong("winner-takes-all")(lambda x: (x == x.max(-1)[..., None]) * 1.0)


@wrong("scores-clipped")
def clipped(x):
    return soft(np.clip(x, -700, 700))


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


@wrong("one-too-many-below", "not-normalized")
def one_more(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / (1 + powers.sum(axis=-1, keepdims=True))


@wrong("no-exponential")
def lifted_scores(x):
    lifted = x - x.min(axis=-1, keepdims=True) + 1
    return lifted / lifted.sum(axis=-1, keepdims=True)


@wrong("one-step-too-many", says="rounded to 2 decimals", seeds=range(4))
def rounded(x):
    return np.round(softmax(x), 2)


wrong("one-step-too-many", seeds=range(8))(lambda x: np.sort(soft(x)))
wrong("not-normalized")(lambda x: softmax(x) + np.sin(x) ** 2)


@wrong("keepdims-forgotten", says="what you subtract or divide by")
def maxima_that_lost_their_axis(x):
    powers = np.exp(x - x.max(axis=-1))
    return powers / powers.sum(axis=-1, keepdims=True)


@right
def a_line_that_is_of_no_use(x):
    np.log(x)
    return softmax(x)


@wrong("wrong-shape")
def a_loop_that_collects(x):
    total = 0
    for row in x:
        total = total + row.sum()
    return total


@wrong("wrong-shape")
def a_loop_that_searches(x):
    for row in x:
        if row.any():
            found = row
    return found


right, wrong = answers_of("log_softmax")


def by_logaddexp(x):
    total = x[..., 0]
    for i in range(1, x.shape[-1]):
        total = np.logaddexp(total, x[..., i])
    return x - total[..., None]


@right
def in_float32_of_log_softmax(x):
    x = x.astype("f4")
    x = x - np.max(x, axis=-1, keepdims=True)
    return x - np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


def naive_total(x):
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


@wrong("wrong-axis")
def first_axis(x):
    return x - np.logaddexp.reduce(x, axis=0)


def rows_shifted(summed):
    """Subtract the largest of each row, then the logarithm of other sums."""

    def answer(x):
        x = x - x.max(-1, keepdims=True)
        return x - np.log(summed(np.exp(x)))

    return answer


@wrong("normalized-over-everything")
def everything(x):
    return x - np.logaddexp.reduce(x, axis=None)


@wrong("largest-left-in")
def largest_in_one_place(x):
    return x - np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True))


@wrong("keepdims-forgotten")
def keepdims_forgotten_of_log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1))


wrong("overflow")(lambda x: np.log(np.exp(x) / np.exp(x).sum(-1, keepdims=True)))
wrong("log-of-zero", says="weight far below 5e-324")(lambda x: np.log(softmax(x)))
wrong("overflow", says="exp(710)")(naive_total)
wrong("all-zeros")(np.zeros_like)
wrong("numbers-all-alike")(lambda x: np.full_like(x, -3.0))
wrong("underflow")(lambda x: naive_total(x - x.max()))
wrong("softmax-without-log")(softmax)
wrong("wrong-axis", "overflow")(
    rows_shifted(lambda powers: powers.sum(0)),
    rows_shifted(lambda powers: np.einsum("...ij->...j", powers)[..., None, :]),
)
wrong("normalized-over-everything")(rows_shifted(np.sum))
wrong("not-normalized")(
    lambda x: x.astype("f4"), lambda x: x - x.max(-1, keepdims=True)
)
wrong("sum-without-log")(lambda x: x - np.exp(x).sum(axis=-1, keepdims=True))
wrong("no-exponential", "log-of-zero", seeds=(0,))(
    lambda x: np.log(x / x.sum(-1, keepdims=True))
)
wrong("sign-flipped")(lambda x: -by_logaddexp(x))
wrong("other-base")(lambda x: by_logaddexp(x) * math.log2(math.e))
wrong("other-base", "log-of-zero")(lambda x: np.log10(softmax(x)))


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
