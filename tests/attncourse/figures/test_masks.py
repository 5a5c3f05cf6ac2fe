"""Lesson 9's live figure: what it computes."""

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.masks import live
from attncourse.story.layers import two_layers
from attnlib import causal_mask

OLD = story.sentence("hungry")
WEIGHT = {"rtol": 0, "atol": 1e-12}


def test_without_a_mask_it_knows_how_the_sentence_ends():
    """As in lesson 8's figure: after layer 2, only "it" and the last word differ."""
    now = live.panel().compute()
    assert now.changed.tolist() == [False, False, False, True, True]
    np.testing.assert_allclose(now.before[3], [1, 0], **WEIGHT)
    np.testing.assert_allclose(now.after[3], [0, 1], **WEIGHT)


@pytest.mark.parametrize("place", range(1, 6))
def test_under_the_causal_mask_nothing_earlier_changes(place):
    now = live.panel(ahead=0, place=place, word="it").compute()
    np.testing.assert_array_equal(now.before[: place - 1], now.after[: place - 1])
    assert not now.changed[: place - 1].any()


@pytest.mark.parametrize("ahead", range(5))
def test_the_layers_are_those_of_the_story(ahead):
    now = live.panel(ahead=ahead, place=1, word="food").compute()
    mask = causal_mask(5, query_offset=ahead)
    np.testing.assert_array_equal(now.allowed, mask)
    for words, name in ((OLD, "before"), (["food", *OLD[1:]], "after")):
        rows, weights = two_layers(story.embed(words), mask)
        np.testing.assert_array_equal(getattr(now, name), rows["network 2"][:, :2])
    np.testing.assert_array_equal(now.weights, weights[1])
    assert not weights[0][~mask].any()


def test_clicked_cells_are_flipped():
    panel = live.panel(ahead=0)
    panel.view.flipped = [4, 5]  # "dog" sees "hungry"; "ate" no longer sees "dog"
    mask = causal_mask(5)
    mask[0, 4], mask[1, 0] = True, False
    now = panel.compute()
    np.testing.assert_array_equal(now.allowed, mask)
    assert not now.changed[:4].any()  # "dog" asks for nothing, and keeps its row
    panel = live.panel(ahead=0, flipped=[19])  # "it" sees "hungry"
    assert panel.compute().changed.tolist() == [False, False, False, True, True]


def test_a_click_goes_on_to_the_next_word(figure_javascript):
    at = {"place": 5, "word": live.WORDS[5]}
    given = [live.WORDS, OLD, at]
    calls = [["masks/live", "next", *given, chosen] for chosen in (5, 3, 1)]
    assert figure_javascript(calls) == [live.WORDS[k] for k in (0, 3, 1)]


@pytest.mark.parametrize(
    "bad",
    [
        {"ahead": 5},
        {"ahead": -1},
        {"place": 0},
        {"place": 1.5},
        {"word": "cat"},
        {"flipped": [25]},
    ],
)
def test_what_the_controls_lack_is_refused(bad):
    with pytest.raises(ValueError, match=rf"masks: {next(iter(bad))} must be"):
        live.panel(**bad)
