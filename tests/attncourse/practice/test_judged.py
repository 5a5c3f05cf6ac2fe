"""Answers that a case once missed, or that a case once refused."""

import numpy as np
import pytest

from attnlib import layer_norm, scaled_dot_product_attention
from attnlib.heads import split_heads
from tests.attncourse.practice.judging import assert_found, assert_passes, codes
from tests.attncourse.practice.test_one_pass import one_pass


def test_a_mask_that_ignores_the_offset_is_refused():
    def answer(n_queries, n_keys, left, offset):
        place = np.arange(n_queries)[:, None] + n_keys - n_queries
        distance = place - np.arange(n_keys)
        return (distance >= 0) & (distance <= left)

    for found in codes("window_mask", answer):
        assert found


def layer(how):
    def answer(x, weights, w_1, b_1, w_2, b_2):
        middle = how(x + weights @ x)
        hidden = np.maximum(0, middle @ w_1 + b_1)
        return how(middle + hidden @ w_2 + b_2)

    return answer


def norm(eps, outside=0.0):
    def how(x):
        spread = np.sqrt(x.var(axis=-1, keepdims=True) + eps) + outside
        return (x - x.mean(axis=-1, keepdims=True)) / spread

    return how


def test_the_layer_with_the_right_epsilon_passes():
    assert_passes("encoder_layer", layer(norm(1e-5)))
    assert_passes("encoder_layer", layer(lambda x: layer_norm(x, np.ones(x.shape[-1]))))


@pytest.mark.parametrize("eps", [1e-3, 1e-4, 1e-6, 1e-8])
def test_a_layer_with_another_epsilon_is_told_so(eps):
    assert_found("encoder_layer", "other-epsilon", layer(norm(eps)))


def test_a_layer_without_epsilon_is_told_so():
    assert_found("encoder_layer", "epsilon-missing", layer(norm(0)))


@pytest.mark.parametrize("eps", [1e-5, 1e-8])
def test_a_layer_with_epsilon_outside_the_root_is_told_so(eps):
    assert_found("encoder_layer", "epsilon-outside-root", layer(norm(0, eps)))


@pytest.mark.parametrize("size", [128, 240, 256])
def test_a_block_of_a_fraction_of_the_table_passes(size):
    answer = lambda *three: one_pass(*three, size=size)  # noqa: E731
    assert_passes("one_pass_attention", answer)


@pytest.mark.parametrize(
    ("name", "right"),
    [("attention", scaled_dot_product_attention), ("split_heads", split_heads)],
)
def test_an_axis_of_length_1_has_to_stay(name, right):
    assert_found(name, "wrong-shape", lambda *given: np.squeeze(right(*given)))
