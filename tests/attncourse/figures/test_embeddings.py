"""Lesson 1's live figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse import examples
from attncourse.figures.embeddings import live
from attnlib import cosine_similarity

WORDS = examples.plane_words()


@pytest.fixture
def panel():
    return live.panel(word="tasks", x=-1.3, y=0.7)


def view(panel):
    return panel.children[-1]


def test_values_follow_the_controls(panel):
    assert panel.values == {"word": "tasks", "x": -1.3, "y": 0.7}
    word, x, _ = panel.children[:3]
    word.value, x.value = "Smart", 1.1
    assert panel.values == {"word": "Smart", "x": 1.1, "y": 0.7}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_begins_where_the_slides_put_it(word):
    values = live.panel(word=word).values
    assert [values["x"], values["y"]] == WORDS[word].tolist()


def test_compute_compares_the_moved_word_with_all(panel):
    moved = {**WORDS, "tasks": np.array([-1.3, 0.7])}
    compared = panel.compute()
    assert compared.tokens == tuple(WORDS)
    dots = [-1.3 * x + 0.7 * y for x, y in moved.values()]
    np.testing.assert_allclose(compared.dot, dots, rtol=1e-12)
    cosines = [cosine_similarity(moved["tasks"], v) for v in moved.values()]
    np.testing.assert_allclose(compared.cosine, cosines, rtol=1e-12)


def test_only_one_word_moves(panel):
    word, *_ = panel.children
    word.value = "complex"
    smart_with_tasks = panel.compute().dot[list(WORDS).index("tasks")]
    assert smart_with_tasks == 0.7 * 2


def test_the_zero_vector_has_cosine_zero():
    compared = live.panel(word="robots", x=0, y=0).compute()
    assert compared.cosine.tolist() == [0] * 5


def test_view_begins_as_the_controls_say(panel):
    state = view(panel)
    assert (state.word, state.x, state.y) == (4, -1.3, 0.7)
    assert state.names == list(WORDS)
    np.testing.assert_array_equal(state.vectors, list(WORDS.values()))


def test_saved_state_is_plain_json(panel):
    state = {k: v for k, v in view(panel).get_state().items() if k != "layout"}
    json.dumps(state, allow_nan=False)


def test_repr_carries_the_numbers(panel):
    compared = panel.compute()
    for token, dot, cosine in zip(*compared, strict=True):
        assert f"{token} {dot:.2f} and {cosine:.2f}" in repr(panel)
    assert "(-1.3, 0.7)" in repr(panel)


def test_still_picture_and_view_are_both_offered(panel):
    data = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')


@pytest.mark.parametrize(
    "bad",
    [
        {"word": "cat"},
        {"word": ["tasks"]},
        {"x": 2.1},
        {"y": -5},
        {"x": float("nan")},
        {"y": "up"},
    ],
)
def test_bad_input_is_refused(bad):
    name = next(iter(bad))
    with pytest.raises(ValueError, match=rf"embeddings: {name} must be .*got"):
        live.panel(**bad)
