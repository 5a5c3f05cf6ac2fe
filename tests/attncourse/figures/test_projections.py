"""Lesson 2's live figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse import examples
from attncourse.figures.projections import live

WORDS = examples.plane_words()
X = np.array(list(WORDS.values()))
W_QUERY = np.array([[0.5, -1.0], [0.2, 1.5]])
W_KEY = np.array([[-0.3, 0.7], [1.1, 0.4]])


@pytest.fixture
def panel():
    return live.panel(W_QUERY, W_KEY, word="perform")


def view(panel):
    return panel.children[-1]


def controls(panel):
    return {control.description: control for control in panel.children[:-1]}


def test_values_are_the_weights_by_row_and_column(panel):
    assert panel.values == {
        "word": "perform",
        **{"q11": 0.5, "q12": -1.0, "q21": 0.2, "q22": 1.5},
        **{"k11": -0.3, "k12": 0.7, "k21": 1.1, "k22": 0.4},
    }


@pytest.mark.parametrize("letter", "QK")
@pytest.mark.parametrize("row", [1, 2])
@pytest.mark.parametrize("column", [1, 2])
def test_each_slider_moves_its_own_weight(panel, letter, row, column):
    weights = {"Q": W_QUERY.copy(), "K": W_KEY.copy()}
    weights[letter][row - 1, column - 1] = -0.9
    controls(panel)[f"W_{letter} ({row}, {column})"].value = -0.9
    trace = panel.compute()
    np.testing.assert_allclose(trace.query, X @ weights["Q"], rtol=1e-12)
    np.testing.assert_allclose(trace.key, X @ weights["K"], rtol=1e-12)


def test_compute_is_attnlib_on_the_five_words(panel):
    trace = panel.compute()
    assert trace.tokens == tuple(WORDS)
    np.testing.assert_array_equal(trace.value, X)
    scores = [[q @ k for k in X @ W_KEY] for q in X @ W_QUERY]
    np.testing.assert_allclose(trace.scores, scores, rtol=1e-12)


def test_it_begins_with_the_identity():
    trace = live.panel().compute()
    for projected in (trace.query, trace.key):
        np.testing.assert_array_equal(projected, X)


def test_equal_weights_give_symmetric_scores():
    scores = live.panel(W_QUERY, W_QUERY).compute().scores
    np.testing.assert_allclose(scores, scores.T, rtol=1e-12)


def test_one_weight_breaks_the_mirror_as_the_lesson_says():
    scores = live.panel(w_query=[[1, 1], [0, 1]]).compute().scores
    assert (scores[0, 1], scores[1, 0]) == (1, 0)


def test_view_begins_as_the_controls_say(panel):
    state = view(panel)
    assert (state.word, state.q12, state.k21) == (2, -1.0, 1.1)
    np.testing.assert_array_equal(state.vectors, X)


def test_saved_state_is_plain_json(panel):
    state = {k: v for k, v in view(panel).get_state().items() if k != "layout"}
    json.dumps(state, allow_nan=False)


def test_repr_carries_the_scores_of_the_word_that_asks(panel):
    scores = panel.compute().scores[2]
    expected = ", ".join(f"{w} {s:.2f}" for w, s in zip(WORDS, scores, strict=True))
    assert expected in repr(panel)


def test_all_weights_zero_can_be_drawn():
    assert "perform 0.00" in repr(live.panel(np.zeros((2, 2))))


def test_still_picture_and_view_are_both_offered(panel):
    data = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')


@pytest.mark.parametrize(
    "bad",
    [
        {"word": "cat"},
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
