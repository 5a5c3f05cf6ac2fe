"""Lesson 5's first live figure: what it computes, and where it draws."""

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.query_to_output import live
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


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ((1, 2, 3), "query must be two numbers, got 3"),
        (5, "query must be two numbers, got 1"),
        ((8.5, 0), "query must be a number from -4 to 8, got 8.5"),
        ((0, float("nan")), "query must be"),
    ],
)
def test_bad_query_is_refused(query, says):
    with pytest.raises(ValueError, match=f"^query_to_output: {says}"):
        live.panel(query)


def test_words_that_share_a_place_have_one_name(figure_javascript):
    names = ["dog", "ate", "food", "it", "hungry"]
    (got,) = figure_javascript(
        [["query_to_output/live", "places", names, KEYS.tolist()]]
    )
    assert got == [[[1, 0], "dog"], [[0, 0], "others"], [[0, 1], "food"]]
