"""Two layers of the running example, step by step, with and without a mask."""

import numpy as np
import pytest

from attncourse import story
from attncourse.story.layers import STEPS, layers, tidy, two_layers
from attnlib import causal_mask, feed_forward, scaled_dot_product_attention

X = {
    adjective: story.embed(story.sentence(adjective))
    for adjective in ("hungry", "delicious")
}


@pytest.mark.parametrize("adjective", X)
@pytest.mark.parametrize("mask", [None, causal_mask(5)])
def test_each_step_is_the_row_and_what_is_added_to_it(adjective, mask):
    rows, weights = two_layers(X[adjective], mask)
    assert tuple(rows) == STEPS
    x = X[adjective]
    for number, (w_query, w_key, w_value, w_output) in enumerate(layers(), 1):
        three = x @ w_query, x @ w_key, x @ w_value
        x = x + scaled_dot_product_attention(*three, mask=mask) @ w_output
        np.testing.assert_allclose(rows[f"attention {number}"], x, atol=1e-12)
        x = x + feed_forward(x, *tidy())
        np.testing.assert_allclose(rows[f"network {number}"], x, atol=1e-12)
        np.testing.assert_allclose(weights[number - 1].sum(axis=-1), 1)


@pytest.mark.parametrize(("adjective", "noun"), [("hungry", 0), ("delicious", 2)])
def test_it_finds_the_noun_that_the_adjective_describes(adjective, noun):
    rows, (gathers, finds) = two_layers(X[adjective])
    assert gathers[3, 4].round(3) == finds[3, noun].round(3) == 0.946
    expected = X[adjective][noun, :2]
    np.testing.assert_allclose(rows["network 2"][3, :2], expected, atol=1e-12)


def test_under_the_causal_mask_it_finds_nothing():
    rows, (_, finds) = two_layers(X["hungry"], causal_mask(5))
    np.testing.assert_allclose(finds[3], [0.25, 0.25, 0.25, 0.25, 0])
    np.testing.assert_allclose(rows["network 2"][3], X["hungry"][3], atol=1e-12)


def test_one_layer_has_one_of_the_two_heads():
    (*first, first_output), (*second, second_output) = layers()
    heads = story.heads()
    for given, name in ((first, "gather"), (second, "find")):
        for one, other in zip(given, heads[name], strict=True):
            np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal([*second_output, *first_output], story.w_output())
