"""The landing page's figure: what a word looks at, and what is said of a guess."""

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


def test_weights_are_those_of_the_extract_without_the_markers(tables):
    for one, table in zip(live.TABLES, tables, strict=True):
        np.testing.assert_allclose(one, table[1:-1, 1:-1], rtol=0, atol=0.0005 + 1e-12)


def test_compute_is_what_the_chosen_word_looks_at():
    panel = live.panel("delicious", second="dog", asks="because")
    now = panel.compute()
    assert now.words[5:] == ("because", "it", "was", "delicious")
    np.testing.assert_array_equal(now.weights, [live.TABLES[1][5]])
    panel.controls["adjective"].value, panel.controls["asks"].value = "hungry", live.ALL
    assert panel.compute().weights == [[None] * 9] * 9
    panel.controls["guess"].value = "food"
    np.testing.assert_array_equal(panel.compute().weights, live.TABLES[0])


def test_what_the_page_says_of_the_dog():
    """0.60, still 0.51, and every word's first choice among the words."""
    hungry, delicious = (live.among_words(i) for i in range(2))
    assert (hungry[6, 1].round(2), delicious[6, 1].round(2)) == (0.60, 0.51)
    for table in (hungry, delicious):
        assert (table.argmax(axis=1) == 1).all()


def test_nothing_is_given_away_before_a_guess_but_in_print():
    panel = live.panel()
    assert panel.state["guess"] is None
    for second in (False, True):
        state = panel.state | {"adjective": live.ADJECTIVES[second]}
        described = panel.figure.described(state, panel.figure.compute(**state))
        assert "dog" not in described["summary"]
        assert {*described["tables"][0]["cells"][0]} == {"?"}
    assert "“it” gives it 0.60 with “hungry”, 0.51 with “delicious”" in repr(panel)
    assert "it: A 0.02, dog 0.51" in repr(panel)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (("hungry", "food", None), "0.60 of its attention. Your guess, “food”, gets"),
        (("delicious", None, "dog"), "Still “dog”: 0.51, and it was 0.60 before. You"),
        (("hungry", live.SHOW_ME, None, "because"), "“because” looks at “dog” too: 0."),
        (("delicious", None, "dog", live.ALL), "looks most at “dog”: 0.29 to 0.90."),
    ],
)
def test_the_figure_says_what_was_guessed_and_what_is(state, said):
    assert said in live.panel(*state).describe()["summary"]


@pytest.mark.parametrize("name", ["adjective", "guess", "second", "asks"])
def test_bad_choice_is_refused(name):
    with pytest.raises(ValueError, match=f"guess: {name} must be one of .*'cat'"):
        live.panel(**{name: "cat"})


def test_words_stand_side_by_side(figure_javascript):
    words = [*live.WORDS, "delicious"]
    (slots,) = figure_javascript([["guess/live", "slots", words]])
    left, width = np.transpose(slots)
    np.testing.assert_allclose(left, [0, *np.cumsum(width)[:-1]], atol=1e-9)
    assert sum(width) == pytest.approx(100)
    assert width[8] == max(width)  # there is room for "delicious" from the start
