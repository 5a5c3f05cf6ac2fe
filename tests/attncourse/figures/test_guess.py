"""The landing page's figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse.figures.guess import live
from attncourse.real_model import load_extract


@pytest.fixture(scope="module")
def tables():
    extract = load_extract()
    return [extract[f"attention_{i}"][5, 11].astype(float) for i in range(2)]


def test_words_are_those_of_the_extract():
    for i, last in enumerate(live.ADJECTIVES):
        told = load_extract()["texts"][i]
        assert " ".join((*live.WORDS, last)) == told


def test_the_view_holds_the_weights_without_the_markers(tables):
    saved = np.array(live.panel().view.weights)
    for one, table in zip(saved, tables, strict=True):
        np.testing.assert_allclose(one, table[1:-1, 1:-1], rtol=0, atol=0.0005 + 1e-12)


def test_compute_is_what_the_chosen_word_looks_at(tables):
    panel = live.panel(adjective="delicious", asks="because")
    words, weights = panel.compute()
    assert words[5:] == ("because", "it", "was", "delicious")
    np.testing.assert_array_equal(weights, tables[1][6, 1:-1])
    panel.controls["adjective"].value, panel.controls["asks"].value = "hungry", live.ALL
    np.testing.assert_array_equal(panel.compute().weights, tables[0][1:-1, 1:-1])


def test_what_the_page_says_of_the_dog():
    """0.60, still 0.51, and every word's first choice among the words."""
    hungry, delicious = (live.among_words(i) for i in range(2))
    assert (hungry[6, 1].round(2), delicious[6, 1].round(2)) == (0.60, 0.51)
    for table in (hungry, delicious):
        assert (table.argmax(axis=1) == 1).all()


def test_choices_set_the_traits_by_place():
    state = live.panel("delicious", guess="food", asks="the last word").view
    assert (state.adjective, state.guess, state.asks) == (1, 5, 8)
    state = live.panel(guess=live.SHOW_ME, asks=live.ALL).view
    assert (state.guess, state.asks) == (len(state.sentences[0]) + 1, 9)


def test_saved_state_is_plain_json_and_covered_at_first():
    state = live.panel().view.get_state()
    json.dumps({k: v for k, v in state.items() if k != "layout"}, allow_nan=False)
    assert state["guess"] == 0


def test_still_picture_tells_the_story():
    said = repr(live.panel())
    for part in ("“dog” 0.60", "“dog” 0.51", "hungry", "delicious", "Every word"):
        assert part in said


@pytest.mark.parametrize("name", ["adjective", "guess", "asks"])
def test_bad_choice_is_refused(name):
    with pytest.raises(ValueError, match=f"guess: {name} must be one of .*'cat'"):
        live.panel(**{name: "cat"})


def test_words_stand_side_by_side(figure_javascript):
    sentences = live.panel().view.sentences
    (slots,) = figure_javascript([["guess/live", "slots", sentences]])
    left, width = np.transpose(slots)
    np.testing.assert_allclose(left, [0, *np.cumsum(width)[:-1]], atol=1e-9)
    assert sum(width) == pytest.approx(100)
    assert width[8] == max(width)  # there is room for "delicious" from the start


def test_the_figure_says_what_was_guessed_and_what_is(figure_javascript):
    state = live.panel().view
    (one, two), (first, second) = state.sentences, state.weights
    ways = [
        (one, first, None, 0, 6),
        (one, first, None, 5, 6),
        (two, second, first, 0, 6),
        (two, second, first, 2, 6),
        (two, second, first, 2, 9),
        (two, second, first, 10, 5),
    ]
    said = figure_javascript([["guess/live", "told", *way] for way in ways])
    assert "dog" not in said[0] + said[2]  # nothing is given away
    assert "0.60" in said[1]
    assert said[1].endswith("Your guess, “food”, gets 0.12.")
    assert said[3].startswith("Still “dog”: 0.51, and it was 0.60 before.")
    assert said[3].endswith("You guessed it.")
    assert said[4].endswith("looks most at “dog”: 0.29 to 0.90.")
    assert said[5] == "“because” looks at “dog” too: 0.29."
