"""Figures of lessons 5 and 6: a query, a weighted sum, several heads."""

import itertools

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.multi_head import live as multi_head
from attncourse.figures.multi_head.reach import nearest_mixture, nearest_of_two
from attncourse.figures.query_to_output import live
from attncourse.figures.weighted_sum import live as weighted_sum
from attncourse.story import examples
from attnlib import scaled_dot_product_attention

KEYS = np.array([[1.0, 0], [0, 0], [0, 1], [0, 0], [0, 0]])  # dog ate food it hungry
CLOSE = {"rtol": 1e-12, "atol": 1e-14}


@pytest.fixture
def panel():
    return live.panel(query=(2.5, -1.5))


def test_compute_is_attention_by_hand(panel):
    answer = panel.compute()
    np.testing.assert_allclose(answer.scores, [2.5, 0, -1.5, 0, 0])
    powers = np.exp(answer.scores / np.sqrt(2))
    np.testing.assert_allclose(answer.weights, powers / powers.sum(), **CLOSE)
    one = scaled_dot_product_attention([[2.5, -1.5]], KEYS, KEYS)[0]
    np.testing.assert_allclose(answer.output, one, **CLOSE)


def test_hungry_asks_as_the_story_says():
    words = story.sentence("hungry")
    trace = story.find().trace(story.embed(words), words)
    answer = live.panel(query=trace.query[-1]).compute()
    np.testing.assert_allclose(answer.weights, trace.weights[-1], **CLOSE)
    np.testing.assert_allclose(answer.output, trace.output[-1], **CLOSE)


def test_places_that_are_marked_are_queries_of_the_story():
    for adjective in ("hungry", "delicious"):
        x = story.embed(story.sentence(adjective))
        query, _, _ = story.find().project(x)
        np.testing.assert_array_equal(live.ASKING[adjective], query[-1])
        np.testing.assert_array_equal(query[:-1], 0)


def test_words_that_share_a_place_have_one_name(figure_javascript):
    names = ["dog", "ate", "food", "it", "hungry"]
    (got,) = figure_javascript(
        [["query_to_output/live", "places", names, KEYS.tolist()]]
    )
    assert got == [[[1, 0], "dog"], [[0, 0], "others"], [[0, 1], "food"]]


@pytest.fixture
def weighted_sum_panel():
    return weighted_sum.panel(parts=(7, 2, 11))


def test_compute_mixes_the_values_by_hand(weighted_sum_panel):
    *_, values = examples.three_tokens()
    mixture = weighted_sum_panel.compute()
    np.testing.assert_allclose(mixture.weights, [7 / 20, 2 / 20, 11 / 20], rtol=1e-12)
    by_hand = (7 * values[0] + 2 * values[1] + 11 * values[2]) / 20
    np.testing.assert_allclose(mixture.output, by_hand, rtol=1e-12)


@pytest.mark.parametrize("parts", [(1, 1, 1), (20, 1, 5), (3, 17, 2)])
def test_no_mixture_is_a_printed_answer(parts):
    assert weighted_sum.panel(parts).compute().output.sum() == pytest.approx(10)
    for printed in weighted_sum.PRINTED:
        assert sum(printed) < 9.6


def test_equal_parts_give_the_mean():
    output = weighted_sum.panel((5, 5, 5)).compute().output
    np.testing.assert_allclose(output, np.mean(weighted_sum.VALUES, axis=0))


CORNERS = np.array([[1.0, 0], [0, 1], [0, 0]])  # dog, food, the others
FACTS = np.array([[9.0, 2], [3, 4], [1, 8]])
PLACES = np.random.default_rng(6).uniform(-0.25, 1.25, (11, 2))
MULTI_HEAD_CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def grid_of_weights(n=60):
    counts = itertools.product(range(n + 1), repeat=2)
    return np.array([(i, j, n - i - j) for i, j in counts if i + j <= n]) / n


@pytest.mark.parametrize(("values", "size"), [(CORNERS, 1), (FACTS, 9)])
@pytest.mark.parametrize("place", PLACES)
def test_no_mixture_comes_nearer(values, size, place):
    wanted = place * size
    weights = nearest_mixture(values, wanted)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    nearest = np.linalg.norm(weights @ values - wanted)
    others = np.linalg.norm(grid_of_weights() @ values - wanted, axis=1)
    assert nearest <= others.min() + 1e-12
    assert others.min() < nearest + size / 30  # and the grid comes almost as near


@pytest.mark.parametrize("place", PLACES)
def test_two_heads_reach_the_whole_box(place):
    weights = nearest_of_two(FACTS, 9 * place)
    assert weights.min() >= 0
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    outputs = np.diag(weights @ FACTS)
    np.testing.assert_allclose(
        outputs, np.clip(9 * place, [1, 2], [9, 8]), **MULTI_HEAD_CLOSE
    )


def test_inside_the_triangle_a_query_exists_that_attends_so():
    """Three words of value 0 share what the dog and the food leave."""
    (dog, food, others, misses), *more = multi_head.panel((0.3, 0.4)).compute().rows
    assert (misses, more) == (pytest.approx(0), [])
    query = np.sqrt(2) * np.log([dog / (others / 3), food / (others / 3)])
    _, key, value = story.find().project(story.embed(story.sentence()))
    output = scaled_dot_product_attention([query], key, value)[0]
    np.testing.assert_allclose(output, [0.3, 0.4], **MULTI_HEAD_CLOSE)


def test_one_head_misses_and_two_reach():
    reached = multi_head.panel((1, 1)).compute()
    np.testing.assert_allclose(reached.one_output, [0.5, 0.5])
    np.testing.assert_allclose(reached.two_output, [1, 1])
    np.testing.assert_allclose(reached.misses, [np.sqrt(0.5), 0])
    outside = multi_head.panel((1.25, -0.25), heads=2).compute()
    np.testing.assert_allclose(outside.one_output, [1, 0])
    np.testing.assert_allclose(outside.two_output, [1, 0])
    np.testing.assert_allclose(outside.rows[1:, 3], [0.25, 0.25])


def test_with_one_head_nothing_is_said_of_two():
    one, two = (multi_head.panel((1, 0.75), heads) for heads in (1, 2))
    assert list(one.controls) == list(two.controls) == ["alive", "edible"]
    assert "wo heads" not in repr(one) + str(one.describe())
    assert "Two heads come to 1.00 right, 0.75 up" in repr(two)
