"""Right and wrong answers for weighted_sum, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


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
