"""Right and wrong answers for attention, in several styles."""

import math

import numpy as np

from attnlib import scaled_dot_product_attention
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)
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
