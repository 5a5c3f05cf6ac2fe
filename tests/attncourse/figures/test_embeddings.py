"""Lesson 1's live figure: what it saves, says and computes."""

import numpy as np
import pytest

from attncourse.figures.embeddings import live, still
from attncourse.story import embed, plane_words
from attnlib import cosine_similarity

WORDS = plane_words()


def test_compute_compares_the_moved_word_with_all():
    at = (-1.3, 0.7)
    compared = live.panel("cat", "fish", at).compute()
    words = {**WORDS, "cat": np.array(at)}
    dots = [-1.3 * x + 0.7 * y for x, y in words.values()]
    np.testing.assert_allclose(compared.dot, dots, rtol=1e-12)
    cosines = [cosine_similarity(words["cat"], v) for v in words.values()]
    np.testing.assert_allclose(compared.cosine, cosines, rtol=1e-12)
    assert compared.product == pytest.approx(compared.length * compared.shadow)


def test_only_one_word_moves():
    panel = live.panel("cat", "fish", (-1.3, 0.7))
    panel.controls["word"].value = "dog"
    dog_with_cat = panel.compute().dot[list(WORDS).index("cat")]
    assert dog_with_cat == pytest.approx(-1.3 * 1 + 0.7 * -0.5)


def test_the_zero_vector_has_cosine_zero():
    panel = live.panel("food", "dog", at=(0, 0))
    compared = panel.compute()
    assert compared.cosine.tolist() == [0] * 5
    assert compared.shadow == 0
    assert "no direction" in panel.describe()["summary"]


@pytest.mark.parametrize(
    "bad",
    [
        {"word": "mouse"},
        {"word": None},
        {"word": ["cat"]},
        {"other": "mouse"},
        {"at": (2.1, 0)},
        {"at": (float("nan"), 0)},
        {"at": ("up", 0)},
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


def test_the_drawn_sentence_says_its_rows():
    drawn = still.sentence(["dog", "it"], ["alive", "says alive"], np.eye(2))
    assert "X, a row for each word (alive, says alive): dog 1 0; it 0 1." in drawn.alt
