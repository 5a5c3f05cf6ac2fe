"""Right and wrong answers to the exercises of lesson 5, in several styles."""

import math

import numpy as np

from attnlib import scaled_dot_product_attention
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of("weighted_sum")


def one_by_one(mix):
    """Query by query: mix(row of weights, value)."""

    def answer(weights, value):
        if weights.ndim > 2:
            return [answer(w, v) for w, v in zip(weights, value, strict=True)]
        return [mix(row, value) for row in weights]

    return answer


def step_by_step(row, value):
    """Add one value after the other, each times its weight."""
    output = [0.0] * len(value[0])
    for share, vector in zip(row, value, strict=True):
        for column, number in enumerate(vector):
            output[column] += share * number
    return output


@right
def in_place_on_a_copy(weights, value):
    products = np.repeat(value[..., None, :, :], weights.shape[-2], axis=-3)
    products *= weights[..., None]
    return products.sum(axis=-2)


@wrong("weights-transposed")
def shared_column(weights, value):
    """Let key i collect what the queries give to it."""
    if weights.ndim > 2:
        return [shared_column(w, v) for w, v in zip(weights, value, strict=True)]
    return [step_by_step(column, value) for column in weights.T]


@wrong("sum-missing")
def products(weights, value):
    return np.einsum("...qk,...kv->...qkv", weights, value)


@wrong("sum-missing")
def nested_products(weights, value):
    if weights.ndim > 2:
        return [nested_products(w, v) for w, v in zip(weights, value, strict=True)]
    return [[share * v for share, v in zip(w, value, strict=True)] for w in weights]


right(
    lambda weights, value: weights @ value,
    lambda weights, value: np.einsum("...qk,...kv->...qv", weights, value),
    lambda weights, value: weights.astype("f4") @ value.astype("f4"),
    lambda weights, value: (value.mT @ weights.mT).mT,
    one_by_one(step_by_step),
    one_by_one(lambda row, value: np.average(value, axis=0, weights=row)),
)
wrong("weights-transposed")(
    lambda weights, value: weights.mT @ value,
    lambda weights, value: np.einsum("...kq,...kv->...qv", weights, value),
)
wrong("mean-instead-of-weighted")(
    lambda weights, value: value.mean(axis=-2),
    one_by_one(lambda row, value: value.sum(0) / len(row)),
    lambda weights, value: np.full_like(weights, 1 / weights.shape[-1]) @ value,
)
wrong("weights-ignored")(
    lambda weights, value: value.sum(axis=-2),
    lambda weights, value: np.ones_like(weights) @ value,
    one_by_one(lambda row, value: [sum(column) for column in value.T]),
)
wrong("multiplied-elementwise")(
    lambda weights, value: weights * value,
    lambda weights, value: np.multiply(value, weights),
)
wrong("divided-by-n")(
    lambda weights, value: weights @ value / weights.shape[-1],
    one_by_one(lambda row, value: (row[:, None] * value).mean(axis=0)),
    lambda weights, value: products(weights, value).mean(-2),
)
wrong("wrong-axis")(
    lambda weights, value: np.einsum("...qk,...kv->...kv", weights, value),
    lambda weights, value: products(weights, value).sum(axis=-3),
    lambda weights, value: weights.sum(axis=-2)[..., None] * value,
    lambda weights, value: products(weights, value).sum(axis=-1),
    lambda weights, value: weights * value.sum(axis=-1)[..., None, :],
)
wrong("order-swapped")(
    lambda weights, value: value @ weights,
    lambda weights, value: np.einsum("...kv,...vj->...kj", value, weights),
)
wrong("value-transposed")(
    lambda weights, value: weights @ value.mT,
    lambda weights, value: np.einsum("...qk,...vk->...qv", weights, value),
)
wrong("winner-takes-all")(
    one_by_one(lambda row, value: value[np.argmax(row)]),
    lambda weights, value: (weights == weights.max(-1)[..., None]) @ value,
)
wrong("result-transposed")(
    lambda weights, value: (weights @ value).mT,
    lambda weights, value: np.einsum("...qk,...kv->...vq", weights, value),
)
wrong("weights-transposed", "result-transposed")(
    lambda weights, value: value.mT @ weights
)


@wrong("first-for-all")
def one_sentence_only(weights, value):
    return weights @ (value if value.ndim == 2 else value[0])


wrong("softmax-twice")(lambda w, v: soft(w) @ v)


@wrong("first-for-all")
def values_of_the_first(weights, value):
    return weights @ value.reshape(-1, *value.shape[-2:])[0]


@wrong("queries-added-up")
def one_row_for_all_queries(weights, value):
    return np.einsum("...qk,...kv->...v", weights, value)


right, wrong = answers_of("outside_range")


@right
def by_clip(output, value):
    low, high = value.min(axis=-2), value.max(axis=-2)
    inside = np.clip(output, low[..., None, :], high[..., None, :])
    return abs(output - inside)


@right
def by_where(output, value):
    low, high = np.min(value, -2, keepdims=True), np.max(value, -2, keepdims=True)
    return np.where(
        output < low, low - output, np.where(output > high, output - high, 0)
    )


@right
def number_by_number(output, value):
    if output.ndim > 2:
        pairs = zip(output, value, strict=True)
        return [number_by_number(one, other) for one, other in pairs]
    columns = [sorted(column) for column in value.T]
    return [
        [
            max(ends[0] - x, 0, x - ends[-1])
            for x, ends in zip(row, columns, strict=True)
        ]
        for row in output
    ]


def outside(output, low, high):
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


wrong("range-of-everything")(
    lambda output, value: outside(output, value.min(), value.max()),
    lambda output, value: abs(output - np.clip(output, value.min(), value.max())),
)
wrong("wrong-axis")(
    lambda output, value: outside(
        output, value.min(-1, keepdims=True), value.max(-1, keepdims=True)
    )
)
wrong("keepdims-forgotten")(
    lambda output, value: outside(output, value.min(-2), value.max(-2))
)
wrong("one-end-only")(
    lambda output, value: np.maximum(output - value.max(-2, keepdims=True), 0),
    lambda output, value: np.maximum(value.min(-2, keepdims=True) - output, 0),
)
wrong("sign-kept")(
    lambda output, value: (
        output
        - np.clip(output, value.min(-2, keepdims=True), value.max(-2, keepdims=True))
    )
)
wrong("moved-inside")(
    lambda output, value: np.clip(
        output, value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    )
)


@wrong("maximum-along-axis")
def column_maxima(output, value):
    low, high = value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    return np.max(low - output, 0) + np.max(output - high, 0)


@wrong("distance-to-values")
def to_the_nearest_value(output, value):
    apart = output[..., :, None, :] - value[..., None, :, :]
    return np.min(abs(apart), axis=-2)


@wrong("range-of-everything")
def one_range_for_each_text(output, value):
    low = value.min(axis=(-2, -1), keepdims=True)
    high = value.max(axis=(-2, -1), keepdims=True)
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


right, wrong = answers_of("attention")
NOISE = np.random.default_rng(0)


def flip(x):
    return np.swapaxes(x, -1, -2)


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


@right
def by_einsum(query, key, value):
    scores = np.einsum("...qd,...kd->...qk", query, key) / key.shape[-1] ** 0.5
    return np.einsum("...qk,...kv->...qv", soft(scores), value)


@right
def scaling_the_query_first(query, key, value):
    return soft((query / root(query)) @ flip(key)) @ value


@right
def in_float32(query, key, value):
    query, key, value = (x.astype("f4") for x in (query, key, value))
    scores = query @ flip(key)
    scores /= np.float32(root(query))
    return soft(scores) @ value


@right
def dividing_last(query, key, value):
    scores = query @ flip(key) / root(key)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers @ value / powers.sum(-1, keepdims=True)


@right
def one_at_a_time(query, key, value, sum_moves=True, output_moves=True):
    """Online softmax as in lesson 11, or with the factor left out in places."""
    if query.ndim > 2:
        batches = zip(query, key, value, strict=True)
        return np.array([one_at_a_time(*b, sum_moves, output_moves) for b in batches])
    rows = []
    for q in query:
        top, total, mixed = -math.inf, 0.0, 0.0
        for k, v in zip(key, value, strict=True):
            score = q @ k / math.sqrt(len(q))
            factor, top = math.exp(min(top - score, 0.0)), max(top, score)
            total = total * (factor if sum_moves else 1) + math.exp(score - top)
            mixed = mixed * (factor if output_moves else 1) + math.exp(score - top) * v
        rows.append(mixed / total)
    return np.array(rows)


@right
def some_at_a_time(query, key, value, size=2, moves=True):
    top = np.full((*query.shape[:-1], 1), -np.inf)
    total, mixed = 0, 0
    for start in range(0, key.shape[-2], size):
        part = np.s_[..., start : start + size, :]
        scores = query @ flip(key[part]) / root(query)
        new = np.maximum(top, scores.max(-1, keepdims=True))
        factor = np.exp(top - new) if moves else 1
        total = factor * total + np.exp(scores - new).sum(-1, keepdims=True)
        mixed = factor * mixed + np.exp(scores - new) @ value[part]
        top = new
    return mixed / total


def naive(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


@wrong("missing-scale")
def unscaled_words(query, key, value):
    if query.ndim > 2:
        return [unscaled_words(*one) for one in zip(query, key, value, strict=True)]
    out = []
    for q in query:
        weights = soft(np.array([q @ k for k in key]))
        out.append(sum(w * v for w, v in zip(weights, value, strict=True)))
    return out


@wrong("wrong-axis")
def softmax_of_columns(query, key, value):
    scores = np.einsum("...qd,...kd->...kq", query, key) / root(query)
    return flip(soft(scores / 1) if False else naive_columns(scores)) @ value


def naive_columns(scores):
    """Softmax over the queries, on scores that have a row for each key."""
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(-1, keepdims=True)


right(scaled_dot_product_attention)
wrong("missing-scale")(
    lambda q, k, v: soft(q @ flip(k)) @ v,
    lambda q, k, v: np.einsum(
        "...qk,...kv->...qv", soft(np.einsum("...qd,...kd->...qk", q, k)), v
    ),
)
wrong("scaled-by-d_k")(
    lambda q, k, v: soft(q @ flip(k) / q.shape[-1]) @ v,
    lambda q, k, v: soft((q / q.shape[-1]) @ flip(k)) @ v,
)
wrong("scaled-by-n")(
    lambda q, k, v: soft(q @ flip(k) / math.sqrt(k.shape[-2])) @ v,
    lambda q, k, v: soft(q @ flip(k) / k.shape[-2]) @ v,
    lambda q, k, v: soft(q @ flip(k) / np.sqrt(len(k))) @ v,
    lambda q, k, v: soft(q @ flip(k) / np.sqrt(q.shape[-2])) @ v,
    lambda q, k, v: soft(q @ flip(k) / np.sqrt(q.shape[0])) @ v,
)
wrong("scaled-by-d_v")(
    lambda q, k, v: soft(q @ flip(k) / root(v)) @ v,
    lambda q, k, v: soft(q @ flip(k) * v.shape[-1] ** -0.5) @ v,
)
wrong("multiplied-by-root")(
    lambda q, k, v: soft(q @ flip(k) * root(q)) @ v,
    lambda q, k, v: soft((q * root(q)) @ flip(k)) @ v,
)
wrong("scaled-after-softmax")(
    lambda q, k, v: soft(q @ flip(k)) / root(q) @ v,
    lambda q, k, v: (soft(q @ flip(k)) @ v) * q.shape[-1] ** -0.5,
    lambda q, k, v: np.array(unscaled_words(q, k, v)) / root(k),
)
wrong("value-key-swapped")(
    lambda q, k, v: soft(q @ flip(k) / root(q)) @ k,
    lambda q, k, v: soft(q @ flip(v) / root(q)) @ k,
    lambda q, k, v: soft(np.einsum("...qd,...kd->...qk", q, v) / root(k)) @ v,
    lambda q, k, v: by_einsum(q, v, k),
)
wrong("query-key-swapped")(
    lambda q, k, v: soft(k @ flip(q) / root(q)) @ v, lambda q, k, v: by_einsum(k, q, v)
)
wrong("wrong-one-transposed")(lambda q, k, v: soft(flip(q) @ k / root(q)) @ v)
wrong("key-not-transposed")(
    lambda q, k, v: soft(q @ k / root(q)) @ v,
    lambda q, k, v: soft(np.einsum("...ij,...jk->...ik", q, k) / root(k)) @ v,
)
wrong("wrong-axis")(
    lambda q, k, v: flip(soft(flip(q @ flip(k) / root(q)))) @ v,
    lambda q, k, v: naive(q @ flip(k) / root(q), axis=-2) @ v,
    lambda q, k, v: naive(q @ flip(k) / root(q), axis=0) @ v,
    lambda q, k, v: naive(q @ flip(k) / root(q), axis=1) @ v,
)
wrong("normalized-over-everything")(
    lambda q, k, v: np.exp(s := q @ flip(k) / root(q)) / np.exp(s).sum() @ v
)
wrong("not-normalized")(
    lambda q, k, v: np.exp(q @ flip(k) / root(q)) @ v,
    lambda q, k, v: 1 / (1 + np.exp(-(q @ flip(k)) / root(q))) @ v,
    lambda q, k, v: np.log1p(np.exp(np.clip(q @ flip(k) / root(q), -9, 9))) @ v,
)
wrong("overflow")(
    lambda q, k, v: naive(q @ flip(k) / root(q)) @ v,
    lambda q, k, v: (
        np.array(
            [
                [
                    sum(
                        math.exp(a @ b / root(a)) * w for b, w in zip(k, v, strict=True)
                    )
                    / sum(math.exp(a @ b / root(a)) for b in k)
                ]
                for a in q
            ]
        )[:, 0]
        if q.ndim == 2
        else by_einsum(q, k, v)
    ),
)
wrong("softmax-missing")(lambda q, k, v: q @ flip(k) / root(q) @ v)
wrong("all-axes-transposed")(lambda q, k, v: soft(q @ k.T / root(q)) @ v)
wrong("not-rescaled")(
    lambda q, k, v: one_at_a_time(q, k, v, sum_moves=False, output_moves=False),
    lambda q, k, v: one_at_a_time(q, k, v, output_moves=False),
    lambda q, k, v: one_at_a_time(q, k, v, sum_moves=False),
    lambda q, k, v: some_at_a_time(q, k, v, moves=False),
    lambda q, k, v: some_at_a_time(q, k, v, size=3, moves=False),
)
wrong("scaled-twice")(lambda q, k, v: soft(q @ flip(k) / root(q)) / root(q) @ v)
wrong("missing-scale", "wrong-axis")(lambda q, k, v: naive(q @ flip(k), axis=-2) @ v)
wrong("missing-scale", "overflow")(lambda q, k, v: naive(q @ flip(k)) @ v)
wrong("scaled-by-d_k", "value-key-swapped")(
    lambda q, k, v: soft(q @ flip(k) / q.shape[-1]) @ k
)
wrong("key-not-transposed")(lambda q, k, v: soft(q @ k / root(q)) @ v)
wrong("missing-scale", "not-normalized")(lambda q, k, v: np.exp(q @ flip(k)) @ v)
wrong("key-not-transposed", "missing-scale")(lambda q, k, v: soft(q @ k) @ v)


@wrong("wrong-type")
def returning_the_weights_too(query, key, value):
    weights = soft(query @ flip(key) / root(query))
    return weights @ value, weights


@wrong("root-precedence")
def precedence_of_the_root_in_attention(query, key, value):
    return soft(query @ key.swapaxes(-1, -2) / key.shape[-1] ** 1 / 2) @ value


@wrong("differs-each-time")
def dropout(query, key, value):
    """Weights that are dropped at random don't add up to 1; that is not the fault."""
    weights = soft(query @ key.mT / query.shape[-1] ** 0.5)
    return weights * (NOISE.random(weights.shape) > 0.1) / 0.9 @ value


@wrong("scores-cut")
def only_positive_scores(query, key, value):
    scores = query @ flip(key) / root(query)
    return soft(scores * (scores > 0)) @ value
