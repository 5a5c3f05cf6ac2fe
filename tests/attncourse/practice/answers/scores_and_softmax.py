"""Right and wrong answers to the exercises of lessons 3 and 4, in several styles."""

import math

import numpy as np

from attnlib import softmax
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import changed, naive, soft

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


@right
def shifted(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


SUM = "powers.sum(axis=-1, keepdims=True)"
wrong("wrong-axis")(
    changed(shifted, f"{SUM} → powers.sum(axis=0, keepdims=True)"),
    changed(
        shifted,
        "x.max(axis=-1 → x.max(axis=1",
        "powers.sum(axis=-1 → powers.sum(axis=1",
    ),
)
wrong("underflow")(changed(shifted, "x.max(axis=-1, keepdims=True) → x.max()"))
wrong("keepdims-forgotten")(changed(shifted, f"{SUM} → powers.sum(axis=-1)"))
wrong("keepdims-forgotten", says="what you subtract or divide by")(
    changed(shifted, "x.max(axis=-1, keepdims=True) → x.max(axis=-1)")
)
wrong("largest-left-in")(changed(shifted, "powers.sum → np.exp(x).sum"))
wrong("one-too-many-below", "not-normalized")(changed(shifted, f"{SUM} → (1 + {SUM})"))
wrong("overflow")(lambda x: np.nan_to_num(naive(x)))
wrong("normalized-over-everything", "overflow")(lambda x: np.exp(x) / np.exp(x).sum())
wrong("scores-clipped")(lambda x: soft(np.clip(x, -700, 700)))


wrong("not-normalized")(np.exp, lambda x: np.abs(x) + 1)
wrong("wrong-axis", "overflow")(lambda x: naive(x, axis=-2))
wrong("no-exponential")(lambda x: x / x.sum(-1, keepdims=True))


wrong("sign-flipped")(lambda x: softmax(-x))
wrong("log-softmax", "overflow")(lambda x: x - np.log(np.exp(x).sum(-1))[..., None])
wrong("base-two")(lambda x: softmax(x * math.log(2)))
wrong("winner-takes-all")(lambda x: (x == x.max(-1)[..., None]) * 1.0)


wrong("subtracted-too-late")(
    lambda x: (p := np.exp(x) - np.exp(x.max(-1, keepdims=True))) / p.sum(-1)[..., None]
)


wrong("no-exponential")(
    *(
        lambda x, more=more: (
            (s := x - x.min(-1, keepdims=True) + more) / s.sum(-1, keepdims=True)
        )
        for more in (0, 1)
    )
)


wrong("one-step-too-many", says="rounded to 2 decimals", seeds=range(4))(
    lambda x: np.round(softmax(x), 2)
)


wrong("one-step-too-many", seeds=range(8))(lambda x: np.sort(soft(x)))
wrong("not-normalized")(lambda x: softmax(x) + np.sin(x) ** 2)


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


def by_logaddexp(x, axis=-1):
    return x - np.logaddexp.reduce(x, axis=axis, keepdims=True)


@right
def in_float32_of_log_softmax(x):
    x = x.astype("f4")
    x = x - np.max(x, axis=-1, keepdims=True)
    return x - np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


def naive_total(x):
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


wrong("wrong-axis")(lambda x: by_logaddexp(x, axis=0))
wrong("normalized-over-everything")(lambda x: by_logaddexp(x, axis=None))


def rows_shifted(summed):
    """Subtract the largest of each row, then the logarithm of other sums."""

    def answer(x):
        x = x - x.max(-1, keepdims=True)
        return x - np.log(summed(np.exp(x)))

    return answer


wrong("largest-left-in")(
    lambda x: x - np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True))
)
wrong("keepdims-forgotten")(rows_shifted(lambda powers: powers.sum(-1)))
wrong("one-added")(rows_shifted(lambda powers: 1 + powers.sum(-1, keepdims=True)))
wrong("floor-under-logarithm")(lambda x: np.log(soft(x) + 1e-3))
wrong("softmax-without-log", "wrong-axis")(lambda x: softmax(x, axis=-2))
wrong("divided-by-the-logarithm")(
    lambda x: (s := x - x.max(-1, keepdims=True)) / np.log(np.exp(s).sum(-1))[..., None]
)


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


@wrong("sum-left-out")
def largest_alone_where_the_share_is_zero(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    shares = softmax(x)
    with np.errstate(divide="ignore"):
        return np.where(shares == 0, shifted, np.log(shares))
