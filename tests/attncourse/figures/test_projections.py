"""Lesson 2's live figure: arrows that ask and answer, and their scores."""

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.projections import live

DOG, HUNGRY = (0.5, -1.0), (0.2, 1.5)
KEYS = {"dog_key": (-0.3, 0.7), "hungry_key": (1.1, 0.4)}
NAMES = list(live.WORDS)
APART = live.panel.compute(False, DOG, HUNGRY, **KEYS)
START = live.panel().state


def test_each_word_takes_its_own_rows():
    query, key = ([one, (0, 1), two] for one, two in ((DOG, HUNGRY), KEYS.values()))
    np.testing.assert_allclose(APART.query, query, rtol=1e-12)
    np.testing.assert_allclose(APART.key, key, rtol=1e-12)
    np.testing.assert_allclose(
        APART.scores, np.array(query) @ np.transpose(key), rtol=1e-12
    )
    assert (APART.case, APART.between) == ("broken", ("dog", "food"))


def test_one_arrow_for_both_is_its_own_mirror_image():
    shared = live.panel.compute(True, DOG, HUNGRY, **KEYS)
    np.testing.assert_allclose(shared.scores, shared.scores.T, rtol=1e-12)
    np.testing.assert_array_equal(shared.key, APART.query)


def test_one_weight_breaks_the_mirror_as_the_lesson_says():
    panel = live.panel()
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
    now = live.panel.compute(False, (0, 0), (1, 0), (1, 0), (0, 0))
    layer = story.find()
    x = story.embed(["dog", "hungry"])
    np.testing.assert_array_equal(6 * now.query[[0, 2]], x @ layer.w_query)
    np.testing.assert_array_equal(now.key[[0, 2]], x @ layer.w_key)


def test_all_weights_zero_can_be_drawn():
    zero = (0.0, 0.0)
    assert "hungry 0.00" in repr(live.panel(True, zero, zero))


@pytest.mark.parametrize(
    "bad", [{"dog_query": (1, 0, 0)}, {"hungry_key": (1.6, 0)}, {"shared": 1}]
)
def test_bad_input_is_refused(bad):
    with pytest.raises(ValueError, match=f"projections: {next(iter(bad))} must .*got"):
        live.panel(**bad)


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
    assert figure_javascript([["projections/live", "goal", table]]) == [reached]


def test_arrows_at_one_place_bear_their_names_together(figure_javascript):
    tips = [[1, 0], [0, 1], [1, 0.1]]
    (texts,) = figure_javascript([["projections/live", "together", tips, NAMES]])
    assert texts == ["dog hungry", "food", ""]
