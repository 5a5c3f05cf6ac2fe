"""Right and wrong answers to the exercises of lesson 5, in several styles."""

import math

import numpy as np

from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.answers.longer_texts import in_place, one_pass
from tests.attncourse.practice.judging import flip, naive, soft

right, wrong = answers_of("weighted_sum")


wrong("sum-missing")(lambda w, v: np.einsum("...qk,...kv->...qkv", w, v))
wrong("first-for-all")(lambda w, v: w @ v.reshape(-1, *v.shape[-2:])[0])
wrong("queries-added-up")(lambda w, v: np.einsum("...qk,...kv->...v", w, v))


right(lambda w, v: w @ v)
wrong("weights-transposed")(lambda w, v: w.mT @ v)
wrong("mean-instead-of-weighted")(lambda w, v: v.mean(axis=-2))
wrong("weights-ignored")(lambda w, v: v.sum(axis=-2))
wrong("multiplied-elementwise")(lambda w, v: np.multiply(v, w))
wrong("divided-by-n")(lambda w, v: w @ v / w.shape[-1])
wrong("wrong-axis")(
    lambda w, v: np.einsum("...qk,...kv->...kv", w, v),
    lambda w, v: w * v.sum(axis=-1)[..., None, :],
)
wrong("order-swapped")(lambda w, v: v @ w)
wrong("value-transposed")(lambda w, v: w @ v.mT)
wrong("winner-takes-all")(lambda w, v: (w == w.max(-1)[..., None]) @ v)
wrong("result-transposed")(lambda w, v: (w @ v).mT)
wrong("weights-transposed", "result-transposed")(lambda w, v: v.mT @ w)


wrong("softmax-twice")(lambda w, v: soft(w) @ v)


@wrong("one-piece-wrong", says="Look at `value`")
def not_lined_up(weights, value):
    return (weights[..., None] * value).sum(axis=-2)


right, wrong = answers_of("outside_range")


@right
def by_clip(output, value):
    low, high = value.min(axis=-2), value.max(axis=-2)
    inside = np.clip(output, low[..., None, :], high[..., None, :])
    return abs(output - inside)


def outside(output, low, high):
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


def range_of(value, axis=-2, *, keepdims=True):
    return value.min(axis, keepdims=keepdims), value.max(axis, keepdims=keepdims)


wrong("wrong-axis")(lambda output, value: outside(output, *range_of(value, -1)))
wrong("keepdims-forgotten")(
    lambda output, value: outside(output, *range_of(value, keepdims=False))
)
wrong("range-of-everything")(
    lambda output, value: outside(output, *range_of(value, (-2, -1)))
)
wrong("range-of-output")(lambda output, value: outside(output, *range_of(output)))
wrong("sign-kept")(lambda output, value: output - np.clip(output, *range_of(value)))
wrong("moved-inside")(lambda output, value: np.clip(output, *range_of(value)))
wrong("distance-to-values")(
    lambda output, value: np.min(
        abs(output[..., :, None, :] - value[..., None, :, :]), axis=-2
    )
)


wrong("one-end-only")(
    lambda output, value: np.maximum(output - value.max(-2, keepdims=True), 0),
    lambda output, value: np.maximum(value.min(-2, keepdims=True) - output, 0),
)


@wrong("maximum-along-axis")
def column_maxima(output, value):
    low, high = value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    return np.max(low - output, 0) + np.max(output - high, 0)


@wrong("one-piece-wrong", says="`value.max()`")
def one_maximum(output, value):
    low, high = value.min(axis=-2, keepdims=True), value.max()
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


wrong("distance-inside")(
    lambda output, value: np.abs(output - value.mean(axis=-2, keepdims=True))
)
wrong("all-zeros")(lambda output, value: np.zeros(output.shape))  # never computed


right, wrong = answers_of("attention")
NOISE = np.random.default_rng(0)


def root(x):
    return math.sqrt(x.shape[-1])


def one_word(q, key, value):
    """Attention of one query, number by number."""
    scores = [sum(a * b for a, b in zip(q, k, strict=True)) for k in key]
    scores = [score / math.sqrt(len(q)) for score in scores]
    powers = [math.exp(score - max(scores)) for score in scores]
    output = [0.0] * len(value[0])
    for power, row in zip(powers, value, strict=True):
        for j, number in enumerate(row):
            output[j] += power / sum(powers) * number
    return output


@right
def by_loops(query, key, value):
    if query.ndim > 2:
        return [by_loops(*one) for one in zip(query, key, value, strict=True)]
    return [one_word(q, key, value) for q in query]


right(in_place)


wrong("missing-scale")(lambda q, k, v: soft(q @ flip(k)) @ v)
wrong("scaled-by-d_k")(lambda q, k, v: soft((q / q.shape[-1]) @ flip(k)) @ v)
wrong("scaled-by-n")(
    lambda q, k, v: soft(q @ flip(k) / math.sqrt(k.shape[-2])) @ v,
    lambda q, k, v: soft(q @ flip(k) / k.shape[-2]) @ v,
    lambda q, k, v: soft(q @ flip(k) / np.sqrt(len(k))) @ v,
    lambda q, k, v: soft(q @ flip(k) / np.sqrt(q.shape[-2])) @ v,
    lambda q, k, v: soft(q @ flip(k) / np.sqrt(q.shape[0])) @ v,
)
wrong("scaled-by-d_v")(lambda q, k, v: soft(q @ flip(k) / root(v)) @ v)
wrong("multiplied-by-root")(lambda q, k, v: soft(q @ flip(k) * root(q)) @ v)
wrong("scaled-after-softmax")(lambda q, k, v: soft(q @ flip(k)) / root(q) @ v)
wrong("value-key-swapped")(
    lambda q, k, v: soft(np.einsum("...qd,...kd->...qk", q, v) / root(k)) @ v
)
wrong("wrong-axis", "overflow")(
    lambda q, k, v: naive(q @ flip(k) / root(q), axis=1) @ v
)
wrong("normalized-over-everything", "overflow")(
    lambda q, k, v: np.exp(s := q @ flip(k) / root(q)) / np.exp(s).sum() @ v
)
wrong("not-normalized")(lambda q, k, v: 1 / (1 + np.exp(-(q @ flip(k)) / root(q))) @ v)
wrong("overflow")(lambda q, k, v: naive(q @ flip(k) / root(q)) @ v)
wrong("softmax-missing")(lambda q, k, v: q @ flip(k) / root(q) @ v)
wrong("not-rescaled")(lambda q, k, v: one_pass(q, k, v, size=1, rescale=False))
wrong("scaled-twice")(lambda q, k, v: soft(q @ flip(k) / root(q)) / root(q) @ v)
wrong("missing-scale", "wrong-axis", "overflow")(
    lambda q, k, v: naive(q @ flip(k), axis=-2) @ v
)
wrong("missing-scale", "overflow")(lambda q, k, v: naive(q @ flip(k)) @ v)
wrong("scaled-by-d_k", "value-key-swapped")(
    lambda q, k, v: soft(q @ flip(k) / q.shape[-1]) @ k
)
wrong("missing-scale", "not-normalized")(lambda q, k, v: np.exp(q @ flip(k)) @ v)
wrong("key-not-transposed", "missing-scale")(lambda q, k, v: soft(q @ k) @ v)


wrong("wrong-type")(lambda q, k, v: ((w := soft(q @ flip(k) / root(q))) @ v, w))


wrong("root-precedence")(lambda q, k, v: soft(q @ flip(k) / k.shape[-1] ** 1 / 2) @ v)
wrong("scores-cut")(lambda q, k, v: soft(np.maximum(q @ flip(k) / root(q), 0)) @ v)
wrong("not-normalized", says="nearly 1 and not quite", seeds=range(4))(
    lambda q, k, v: np.round(soft(q @ flip(k) / root(q)), 2) @ v
)


@wrong("differs-each-time")
def dropout(query, key, value):
    """Weights that are dropped at random don't add up to 1; that is not the fault."""
    weights = soft(query @ key.mT / query.shape[-1] ** 0.5)
    return weights * (NOISE.random(weights.shape) > 0.1) / 0.9 @ value


@wrong("one-piece-wrong", says="another product. Look at `weights * value`")
def number_by_number(query, key, value):
    weights = soft(query @ key.mT / np.sqrt(query.shape[-1]))
    return weights * value


wrong("wrong-shape")(lambda *three: np.squeeze(by_loops(*three)))
