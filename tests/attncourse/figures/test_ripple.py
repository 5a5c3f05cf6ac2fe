"""Lesson 8's figure, a change that spreads: what it saves, says and computes."""

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.ripple import live
from attncourse.figures.ripple.live import CHANGES, WORDS
from attncourse.story.layers import STEPS, tidy, two_layers
from attnlib import feed_forward

at = live.panel.compute


def test_it_finds_the_noun_and_flips_with_the_adjective():
    for adjective, noun in (("hungry", "dog"), ("delicious", "food")):
        steps = two_layers(story.embed(story.sentence(adjective))).rows
        expected = story.embed([noun])[0, :2]
        np.testing.assert_allclose(steps["network 2"][3, :2], expected, atol=1e-12)
        assert not steps["network 1"][3, :2].any()


def test_tidy_makes_numbers_0_or_1_and_stretches_what_lies_between():
    row = np.array([[0, 0.3999, 0.45, 0.55, 0.6001, 3]])
    tidied = row + feed_forward(row, *tidy())
    np.testing.assert_allclose(tidied, [[0, 0, 0.25, 0.75, 1, 1]], atol=1e-12)


def test_a_change_reaches_all_by_attention_and_the_network_keeps_what_is_large():
    reached = [np.flatnonzero(at("hungry", step).apart > 0.01) for step in STEPS]
    assert [list(rows) for rows in reached] == [[4], [0, 1, 2, 3, 4], *[[3, 4]] * 3]


def test_rows_are_apart_by_the_distance_between_them():
    """One number goes down by 1 and another up: √2; a fifth of that for a bystander."""
    assert at("hungry", "words").apart[4] == pytest.approx(2**0.5)
    assert at("hungry", "attention 1").apart[0] == pytest.approx(0.2 * 2**0.5)


def test_the_dog_reaches_it_in_the_second_layer_only():
    apart = [at("dog", step).apart[3] for step in STEPS]
    assert apart[:3] == [0, 0, 0]
    assert apart[4] == pytest.approx(1)


def test_no_network_lets_one_word_change_another():
    """A row that was lit after a network was lit before it."""
    for change in CHANGES.values():
        for layer in ("1", "2"):
            before = at(change, f"attention {layer}").apart
            assert not at(change, f"network {layer}").apart[before == 0].any()


def test_a_stone_is_a_row_of_zeros():
    for word in WORDS[:-1]:
        ripple = at(word, "words")
        place = WORDS.index(word)
        assert ripple.words[place] == "stone"
        assert not ripple.rows[place].any()
    assert at("hungry", "words").words[-1] == "delicious"
    assert at("none", "network 2").words == WORDS


@pytest.mark.parametrize("bad", [{"change": "stone"}, {"step": "norm"}, {"step": 2}])
def test_bad_value_is_refused(bad):
    with pytest.raises(ValueError, match=rf"ripple: {next(iter(bad))} must be one of"):
        live.panel(**bad)


def test_it_is_read_by_its_large_columns():
    assert at("hungry", "network 2").held == ["edible", "pronoun", "says edible"]
    assert at("hungry", "attention 1").lit[3] == "it 1.34"


def test_only_what_changed_glows(figure_javascript):
    changes = [0, 0.004, 0.28, 1.41, 2.0]
    glows = figure_javascript([["ripple/live", "glow", c] for c in changes])
    assert glows[:2] == [0, 0]
    assert 0.1 < glows[2] < glows[3] < glows[4] == pytest.approx(0.6)
