"""Lesson 2's live figure: what it saves, says and computes."""

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.projections import live

W_QUERY = np.array([[0.5, -1.0], [0.2, 1.5]])
W_KEY = np.array([[-0.3, 0.7], [1.1, 0.4]])
NAMES = list(live.WORDS)
DOES = {"Q": "asks", "K": "answers"}


def rows(matrix):
    """The three rows of dog, food and hungry: each word takes one of them."""
    return np.array([matrix[0], [0, 1], matrix[1]])


@pytest.fixture
def panel():
    return live.panel(W_QUERY, W_KEY)


def controls(panel):
    return {control.description: control for control in panel.controls.values()}


def test_values_are_the_weights_by_row_and_column(panel):
    assert panel.values == {
        "shared": False,
        **{"q11": 0.5, "q12": -1.0, "q21": 0.2, "q22": 1.5},
        **{"k11": -0.3, "k12": 0.7, "k21": 1.1, "k22": 0.4},
    }


@pytest.mark.parametrize("letter", "QK")
@pytest.mark.parametrize(("row", "word"), list(enumerate(["dog", "hungry"])))
@pytest.mark.parametrize("column", [1, 2])
def test_each_slider_moves_its_own_weight(panel, letter, row, word, column):
    weights = {"Q": W_QUERY.copy(), "K": W_KEY.copy()}
    weights[letter][row, column - 1] = -0.9
    label = f"{word.capitalize()} {DOES[letter]}, {live.AXES[str(column)]}"
    controls(panel)[label].value = -0.9
    trace = panel.compute()
    np.testing.assert_allclose(trace.query, rows(weights["Q"]), rtol=1e-12)
    np.testing.assert_allclose(trace.key, rows(weights["K"]), rtol=1e-12)


def test_compute_is_attnlib_on_the_three_words(panel):
    trace = panel.compute()
    assert trace.tokens == live.WORDS
    scores = [[q @ k for k in rows(W_KEY)] for q in rows(W_QUERY)]
    np.testing.assert_allclose(trace.scores, scores, rtol=1e-12)
    np.testing.assert_array_equal(
        trace.value, story.find().project(story.embed(NAMES))[2]
    )


def test_one_matrix_for_both_is_its_own_mirror_image(panel):
    panel.controls["shared"].value = True
    scores = panel.compute().scores
    np.testing.assert_allclose(scores, scores.T, rtol=1e-12)
    np.testing.assert_allclose(panel.compute().key, rows(W_QUERY), rtol=1e-12)


def test_one_weight_breaks_the_mirror_as_the_lesson_says():
    panel = live.panel()
    assert panel.values["shared"]
    panel.controls["shared"].value = False
    controls(panel)["Hungry asks, alive"].value = 1.0
    scores = panel.compute().scores
    assert (scores[2, 0], scores[0, 2]) == (1, 0)


def test_its_weights_are_those_of_the_story_but_for_the_six():
    panel = live.panel([[0, 0], [1, 0]], [[1, 0], [0, 0]])
    layer, trace = story.find(), panel.compute()
    x = story.embed(["dog", "hungry"])
    np.testing.assert_array_equal(6 * trace.query[[0, 2]], x @ layer.w_query)
    np.testing.assert_array_equal(trace.key[[0, 2]], x @ layer.w_key)


def test_view_begins_as_the_controls_say(panel):
    state = panel.view
    assert (state.shared, state.q12, state.k21) == (False, -1.0, 1.1)
    assert state.names == NAMES


def test_repr_carries_the_scores(panel):
    said = repr(panel)
    for name, row in zip(NAMES, panel.compute().scores, strict=True):
        told = ", ".join(f"{key} {s:.2f}" for key, s in zip(NAMES, row, strict=True))
        assert f"{name} asks: {told}" in said
    assert said.startswith("Scores, not symmetric.")
    assert repr(live.panel()).startswith("Scores, symmetric.")


def test_all_weights_zero_can_be_drawn():
    assert "hungry 0.00" in repr(live.panel(np.zeros((2, 2))))


def test_still_picture_and_view_are_both_offered(panel):
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')


@pytest.mark.parametrize(
    "bad",
    [
        {"w_query": np.eye(3)},
        {"w_key": [[1.6, 0], [0, 1]]},
        {"w_key": [[np.nan, 0], [0, 1]]},
        {"w_query": [["a", "b"], ["c", "d"]]},
    ],
)
def test_bad_input_is_refused(bad):
    name = next(iter(bad))
    with pytest.raises(ValueError, match=f"projections: {name} must .*got"):
        live.panel(**bad)


def test_the_pair_that_breaks_the_mirror_most_is_named(figure_javascript):
    table = [[1, 2, 3], [2, 1, -4], [0.5, 1, 1]]
    even = [[1, 2, 3], [2, 1, 4], [3, 4, 1]]
    script = "projections/live"
    calls = [[script, "unlikeMirror", table], [script, "symmetry", table, NAMES]]
    calls += [[script, "symmetry", even, NAMES], [script, "bothWays", table, NAMES]]
    most, broken, whole, covered = figure_javascript(calls)
    assert most == {"gap": 5, "i": 1, "j": 2}
    assert broken.endswith("food → hungry −4.00, but hungry → food 1.00.")
    assert "mirror image" in whole
    assert covered == "hungry → dog 0.50; dog → hungry 3.00."  # before one has guessed


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


def test_the_slider_that_breaks_the_mirror_stays_in_view(panel):
    drawn, box, slider, folded = panel.children
    assert (drawn, box) == (panel.view, panel.controls["shared"])
    assert slider is panel.controls["q21"]
    assert len(folded.children[0].children) == 7
