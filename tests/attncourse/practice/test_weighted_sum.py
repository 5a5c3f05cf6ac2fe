"""Wrong and right answers for weighted_sum, in several styles."""

import numpy as np
import pytest

from attncourse.practice import EXERCISES
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "weighted_sum"


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


def in_place_on_a_copy(weights, value):
    products = np.repeat(value[..., None, :, :], weights.shape[-2], axis=-3)
    products *= weights[..., None]
    return products.sum(axis=-2)


@pytest.mark.parametrize(
    "answer",
    [
        lambda weights, value: weights @ value,
        lambda weights, value: np.einsum("...qk,...kv->...qv", weights, value),
        lambda weights, value: weights.astype("f4") @ value.astype("f4"),
        lambda weights, value: (value.mT @ weights.mT).mT,
        one_by_one(step_by_step),
        one_by_one(lambda row, value: np.average(value, axis=0, weights=row)),
        in_place_on_a_copy,
    ],
)
def test_right(answer):
    assert_passes(NAME, answer)


def test_each_row_of_weights_sums_to_one():
    for case in EXERCISES[NAME].draw(np.random.default_rng(0)):
        weights = case.inputs["weights"]
        assert (weights > 0).all()
        np.testing.assert_allclose(weights.sum(axis=-1), 1.0, atol=1e-12)


def shared_column(weights, value):
    """Let key i collect what the queries give to it."""
    if weights.ndim > 2:
        return [shared_column(w, v) for w, v in zip(weights, value, strict=True)]
    return [step_by_step(column, value) for column in weights.T]


def products(weights, value):
    return np.einsum("...qk,...kv->...qkv", weights, value)


def nested_products(weights, value):
    if weights.ndim > 2:
        return [nested_products(w, v) for w, v in zip(weights, value, strict=True)]
    return [[share * v for share, v in zip(w, value, strict=True)] for w in weights]


WRONG = {
    "weights-transposed": [
        lambda weights, value: weights.mT @ value,
        lambda weights, value: np.einsum("...kq,...kv->...qv", weights, value),
        shared_column,
    ],
    "mean-instead-of-weighted": [
        lambda weights, value: value.mean(axis=-2),
        one_by_one(lambda row, value: value.sum(0) / len(row)),
        lambda weights, value: np.full_like(weights, 1 / weights.shape[-1]) @ value,
    ],
    "weights-ignored": [
        lambda weights, value: value.sum(axis=-2),
        lambda weights, value: np.ones_like(weights) @ value,
        one_by_one(lambda row, value: [sum(column) for column in value.T]),
    ],
    "multiplied-elementwise": [
        lambda weights, value: weights * value,
        lambda weights, value: np.multiply(value, weights),
    ],
    "sum-missing": [products, nested_products],
    "divided-by-n": [
        lambda weights, value: weights @ value / weights.shape[-1],
        one_by_one(lambda row, value: (row[:, None] * value).mean(axis=0)),
        lambda weights, value: products(weights, value).mean(-2),
    ],
    "wrong-axis": [
        lambda weights, value: np.einsum("...qk,...kv->...kv", weights, value),
        lambda weights, value: products(weights, value).sum(axis=-3),
        lambda weights, value: weights.sum(axis=-2)[..., None] * value,
        lambda weights, value: products(weights, value).sum(axis=-1),
        lambda weights, value: weights * value.sum(axis=-1)[..., None, :],
    ],
    "order-swapped": [
        lambda weights, value: value @ weights,
        lambda weights, value: np.einsum("...kv,...vj->...kj", value, weights),
    ],
    "value-transposed": [
        lambda weights, value: weights @ value.mT,
        lambda weights, value: np.einsum("...qk,...vk->...qv", weights, value),
    ],
    "winner-takes-all": [
        one_by_one(lambda row, value: value[np.argmax(row)]),
        lambda weights, value: (weights == weights.max(-1)[..., None]) @ value,
    ],
    "result-transposed": [
        lambda weights, value: (weights @ value).mT,
        lambda weights, value: np.einsum("...qk,...kv->...vq", weights, value),
    ],
}
CASES = [(code, answer) for code, answers in WRONG.items() for answer in answers]


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_wrong(code, answer):
    assert_found(NAME, code, answer)


def test_two_at_once():
    codes = {"weights-transposed", "result-transposed"}
    assert_found(NAME, codes, lambda weights, value: value.mT @ weights)


def test_one_sentence_only():
    def answer(weights, value):
        return weights @ (value if value.ndim == 2 else value[0])

    assert_found(NAME, "no-batch", answer)
