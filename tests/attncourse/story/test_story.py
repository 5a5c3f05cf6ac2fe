"""The running example's matrices and layers."""

import numpy as np
import pytest

from attncourse import story
from attncourse.story.layers import STEPS, layers, tidy, two_layers
from attncourse.story.words import ALIVE, PRONOUN, SAYS_ALIVE, SAYS_EDIBLE
from attnlib import causal_mask, feed_forward, scaled_dot_product_attention


def test_heads_are_the_matrices_of_find_and_gather():
    heads = story.heads()
    assert list(heads) == ["find", "gather"]
    for layer, matrices in zip(
        (story.find(), story.gather()), heads.values(), strict=True
    ):
        expected = layer.w_query, layer.w_key, layer.w_value
        for one, other in zip(matrices, expected, strict=True):
            np.testing.assert_array_equal(one, other)


def test_only_the_pronoun_asks_in_gather_and_only_adjectives_in_find():
    asks = {
        name: np.flatnonzero(w.any(axis=1)) for name, (w, *_) in story.heads().items()
    }
    assert asks["find"].tolist() == [SAYS_ALIVE, SAYS_EDIBLE]
    assert asks["gather"].tolist() == [PRONOUN]


@pytest.mark.parametrize(("adjective", "column"), [("hungry", 0), ("delicious", 1)])
def test_each_head_writes_to_columns_of_its_own(adjective, column):
    x = story.embed(story.sentence(adjective))
    found, gathered = story.find()(x), story.gather()(x)
    update = np.hstack([found, gathered]) @ story.w_output()
    assert update.shape == x.shape
    np.testing.assert_array_equal(update[:, :2], found)
    np.testing.assert_array_equal(update[:, 4:], gathered)
    assert update[4, ALIVE + column] == update[3, SAYS_ALIVE + column]
    assert update[4, ALIVE + column] == pytest.approx(0.946, abs=5e-4)


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
