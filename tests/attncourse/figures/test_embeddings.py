"""Lesson 1's live figure: what it saves, says and computes."""

import numpy as np
import pytest

from attncourse.figures.embeddings import live, still
from attncourse.story import embed, plane_words
from attnlib import cosine_similarity

WORDS = plane_words()


@pytest.fixture
def panel():
    return live.panel(word="cat", other="fish", x=-1.3, y=0.7)


def test_values_follow_the_controls(panel):
    assert panel.values == {"word": "cat", "other": "fish", "x": -1.3, "y": 0.7}
    for name, value in {"word": "dog", "other": "food", "x": 1.1}.items():
        panel.controls[name].value = value
    assert panel.values == {"word": "dog", "other": "food", "x": 1.1, "y": 0.7}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_begins_at_its_own_place(word):
    values = live.panel(word=word).values
    assert [values["x"], values["y"]] == WORDS[word].tolist()


def test_compute_compares_the_moved_word_with_all(panel):
    moved = {**WORDS, "cat": np.array([-1.3, 0.7])}
    compared = panel.compute()
    assert compared.tokens == tuple(WORDS)
    dots = [-1.3 * x + 0.7 * y for x, y in moved.values()]
    np.testing.assert_allclose(compared.dot, dots, rtol=1e-12)
    cosines = [cosine_similarity(moved["cat"], v) for v in moved.values()]
    np.testing.assert_allclose(compared.cosine, cosines, rtol=1e-12)


def test_only_one_word_moves(panel):
    panel.controls["word"].value = "dog"
    dog_with_cat = panel.compute().dot[list(WORDS).index("cat")]
    assert dog_with_cat == pytest.approx(-1.3 * 1 + 0.7 * -0.5)


def test_the_zero_vector_has_cosine_zero():
    compared = live.panel(word="food", x=0, y=0).compute()
    assert compared.cosine.tolist() == [0] * 5
    assert compared.shadow == 0


def test_view_begins_as_the_controls_say(panel):
    state = panel.view
    assert (state.word, state.other, state.x, state.y) == (1, 2, -1.3, 0.7)
    assert state.names == list(WORDS)
    np.testing.assert_array_equal(state.vectors, list(WORDS.values()))


def test_repr_carries_the_numbers(panel):
    compared = panel.compute()
    for token, dot, cosine in zip(*compared[:3], strict=True):
        assert f"{token} {dot:.2f} and {cosine:.2f}" in repr(panel)
    assert "(-1.3, 0.7)" in repr(panel)
    assert f"shadow of fish on cat is {compared.shadow:.2f} long" in repr(panel)


def test_still_picture_and_view_are_both_offered(panel):
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')


@pytest.mark.parametrize(
    "bad",
    [
        {"word": "mouse"},
        {"word": ["cat"]},
        {"other": "mouse"},
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


def test_words_agree_with_the_running_example():
    """In the plane lie the first two columns of the words that the story has too."""
    for word in ("dog", "food"):
        np.testing.assert_array_equal(WORDS[word], embed([word])[0, :2])


def test_the_dog_prefers_the_fish_by_dot_product_only():
    compared = live.panel().compute()
    assert compared.tokens[compared.dot.argmax()] == "fish"
    assert compared.tokens[np.argsort(-compared.cosine)[1]] == "cat"


def test_shadow_is_the_projection(figure_javascript):
    pairs = np.random.default_rng(3).normal(size=(6, 2, 2))
    pairs[0, 0] = 0
    calls = [["embeddings/live", name, *p.tolist()] for p in pairs for name in NAMES]
    results = figure_javascript(calls)
    for (a, b), long, end in zip(pairs, results[::2], results[1::2], strict=True):
        assert long == pytest.approx(still.shadow(a, b), abs=1e-12)
        foot = (a @ b) / (a @ a or 1) * a
        np.testing.assert_allclose(end, foot, rtol=1e-12, atol=1e-15)
        if a.any():
            assert np.dot(np.subtract(b, end), a) == pytest.approx(0, abs=1e-12)


NAMES = ("shadow", "foot")


def test_without_another_word_the_page_asks_for_a_guess():
    panel = live.panel("dog", None)
    assert panel.view.other is None
    assert panel.compute().shadow is None
    assert "shadow" not in repr(panel)
    panel.controls["other"].value = "cat"
    assert panel.compute().shadow == 1


def test_the_drawn_sentence_says_its_rows():
    drawn = still.sentence(["dog", "it"], ["alive", "says alive"], np.eye(2))
    assert "X, a row for each word (alive, says alive): dog 1 0; it 0 1." in drawn.alt
