"""Figures of lessons 1, 2 and the landing page: words, projections, a guess."""

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.embeddings import live
from attncourse.figures.guess import live as guess
from attncourse.figures.kit.slots import plain
from attncourse.figures.projections import live as projections
from attncourse.real_model import load_extract
from attncourse.story import embed, plane_words

WORDS = plane_words()


def test_the_zero_vector_has_cosine_zero_and_no_shadow_falls_on_it(figure_javascript):
    panel = live.panel("food", "dog", at=(0, 0))
    call = ["embeddings/live", "compute", plain(panel.state), plain(live.panel.data)]
    (in_the_page,) = figure_javascript([call])
    assert in_the_page["shadow"] == 0
    compared = panel.compute()
    assert compared.cosine.tolist() == [0] * 5
    assert compared.shadow == 0
    assert "no direction" in panel.describe()["summary"]


def test_words_agree_with_the_running_example():
    """In the plane lie the first two columns of the words that the story has too."""
    for word in ("dog", "food"):
        np.testing.assert_array_equal(WORDS[word], embed([word])[0, :2])


def test_the_dog_prefers_the_fish_by_dot_product_only():
    compared = live.panel().compute()
    assert live.NAMES[compared.dot.argmax()] == "fish"
    assert live.NAMES[np.argsort(-compared.cosine)[1]] == "cat"


def test_a_shadow_ends_at_the_foot_of_the_perpendicular(figure_javascript):
    pairs = np.random.default_rng(3).normal(size=(6, 2, 2))
    pairs[0, 0] = 0
    ends = figure_javascript([["embeddings/live", "foot", *p.tolist()] for p in pairs])
    for (a, b), end in zip(pairs, ends, strict=True):
        foot = (a @ b) / (a @ a or 1) * a
        np.testing.assert_allclose(end, foot, rtol=1e-12, atol=1e-15)


def test_without_another_word_numbers_are_covered_but_not_in_print():
    panel = live.panel("dog", None)
    assert (panel.view.other, panel.state["other"]) == (None, None)
    assert panel.compute().shadow is None
    ((_, _, *covered), *_) = panel.describe()["tables"][0]["cells"]
    assert covered == ["?", "?"]
    assert "“fish” on it, 2.00, is their dot product" in repr(panel)
    panel.controls["other"].value = "cat"
    assert panel.compute().shadow == 1
    assert "?" not in panel.describe()["tables"][0]["cells"][0]


DOG, HUNGRY = (0.5, -1.0), (0.2, 1.5)
KEYS = {"dog_key": (-0.3, 0.7), "hungry_key": (1.1, 0.4)}
NAMES = list(projections.WORDS)
START = projections.panel().state


def test_one_weight_breaks_the_mirror_as_the_lesson_says():
    panel = projections.panel()
    assert panel.state["shared"]
    panel.controls["shared"].value = False
    assert "Every score equals its mirror image" in panel.describe()["summary"]
    slider = panel.controls["q21"]
    assert slider.description == "Hungry asks, alive"
    slider.value = 1.0
    scores = panel.compute().scores
    assert (scores[2, 0], scores[0, 2]) == (1, 0)
    assert panel.describe()["said"] == [
        "hungry → dog 1.00, dog → hungry 0.00",
        "The mirror is broken between dog and hungry",
        "dog → dog 1.00",
    ]


def test_its_weights_are_those_of_the_story_but_for_the_six():
    now = projections.panel.compute(False, (0, 0), (1, 0), (1, 0), (0, 0))
    layer = story.find()
    x = story.embed(["dog", "hungry"])
    np.testing.assert_array_equal(6 * now.query[[0, 2]], x @ layer.w_query)
    np.testing.assert_array_equal(now.key[[0, 2]], x @ layer.w_key)


def test_all_weights_zero_can_be_drawn():
    zero = (0.0, 0.0)
    assert "hungry 0.00" in repr(projections.panel(True, zero, zero))


def test_with_one_arrow_what_is_not_moved_follows_and_apart_keys_go_home(
    figure_javascript,
):
    was = {**START, "dog_query": DOG, "dog_key": DOG}
    ways = [
        {**was, "hungry_query": HUNGRY},
        {**was, **KEYS},
        {**was, "shared": False},
    ]
    calls = [["projections/live", "follow", at, was, START] for at in ways]
    queries, keys, home = figure_javascript(calls)
    assert queries == {"dog_key": [*DOG], "hungry_key": [*HUNGRY]}
    assert keys == {
        "dog_query": [*KEYS["dog_key"]],
        "hungry_query": [*KEYS["hungry_key"]],
    }
    assert home == {"dog_key": [1, 0], "hungry_key": [0, 0]}


@pytest.mark.parametrize(
    ("asks", "answers", "reached"),
    [
        (1, 0, [True, True]),
        (0.9, 0, [False, True]),
        (1.5, 0.1, [True, False]),
        (2, -1, [True, True]),
    ],
)
def test_goal_has_two_halves(figure_javascript, asks, answers, reached):
    table = [[9, 9, answers], [9, 9, 9], [asks, 9, 9]]
    call = ["projections/live", "goal", {"scores": table}]
    assert figure_javascript([call]) == [reached]


@pytest.fixture(scope="module")
def tables():
    extract = load_extract()
    return [extract[f"attention_{i}"][5, 11].astype(float) for i in range(2)]


def test_words_are_those_of_the_extract():
    for i, last in enumerate(guess.ADJECTIVES):
        told = load_extract()["texts"][i]
        assert " ".join((*guess.WORDS, last)) == told


def test_weights_are_those_of_the_extract_without_the_markers(tables):
    for one, table in zip(guess.TABLES, tables, strict=True):
        np.testing.assert_allclose(one, table[1:-1, 1:-1], rtol=0, atol=0.0005 + 1e-12)


def test_what_the_page_says_of_the_dog():
    """0.60, still 0.51, and every word's first choice among the words."""
    hungry, delicious = (guess.among_words(i) for i in range(2))
    assert (hungry[6, 1].round(2), delicious[6, 1].round(2)) == (0.60, 0.51)
    for table in (hungry, delicious):
        assert (table.argmax(axis=1) == 1).all()


def test_nothing_is_given_away_before_a_guess_but_in_print():
    panel = guess.panel()
    assert panel.state["guess"] is None
    for second in (False, True):
        state = panel.state | {"adjective": guess.ADJECTIVES[second]}
        described = panel.figure.described(state, panel.figure.compute(**state))
        assert "dog" not in described["summary"]
        assert {*described["tables"][0]["cells"][0]} == {"?"}
    assert "“it” gives it 0.60 with “hungry”, 0.51 with “delicious”" in repr(panel)
    assert "it: A 0.02, dog 0.51" in repr(panel)


def test_words_stand_side_by_side(figure_javascript):
    words = [*guess.WORDS, "delicious"]
    (slots,) = figure_javascript([["guess/live", "slots", words]])
    left, width = np.transpose(slots)
    np.testing.assert_allclose(left, [0, *np.cumsum(width)[:-1]], atol=1e-9)
    assert sum(width) == pytest.approx(100)
    assert width[8] == max(width)  # there is room for "delicious" from the start
