"""Lessons 1 and 2: drag a word, choose another; what is shown is what attnlib says."""

import numpy as np
import pytest
from built_site import PHONE

from attnlib import SelfAttention, examples, widgets

WORDS = examples.plane_words()
X = np.array(list(WORDS.values()))


def numbers(texts):
    return [float(text.replace("−", "-")) for text in texts]


@pytest.fixture
def embeddings(open_page):
    return open_page("book/01_embeddings.html")


def place(page):
    return [s.input_value() for s in page.locator(".nk-live input[type=range]").all()]


def drag(page, word, across, up):
    """Drag a word's tip by some units of the plane."""
    page.locator(".aw-word").first.scroll_into_view_if_needed()
    tip = page.locator(".aw-word", has_text=word).locator(".aw-hold").bounding_box()
    plane = page.locator(".aw-view svg").first.bounding_box()
    unit = plane["width"] / 4.8
    x, y = tip["x"] + tip["width"] / 2, tip["y"] + tip["height"] / 2
    page.mouse.move(x + 3, y - 2)  # a hand is never exact: the word must not jump
    page.mouse.down()
    page.mouse.move(x + 3 + across * unit, y - 2 - up * unit, steps=4)
    page.mouse.up()


def test_dragging_a_word_moves_its_sliders(embeddings):
    drag(embeddings, "perform", -1.7, 0.4)
    assert place(embeddings) == ["-0.7", "1.4"]
    assert embeddings.watch.clean()


def test_dragging_another_word_chooses_it(embeddings):
    drag(embeddings, "complex", -0.5, -1.5)
    assert place(embeddings) == ["1.5", "-1.5"]
    assert embeddings.locator(".nk-live select").input_value() == "complex"


def test_a_word_stays_inside_of_the_picture(embeddings):
    drag(embeddings, "perform", 3, -9)
    assert place(embeddings) == ["2", "-2"]


def test_a_pressed_word_does_not_move(embeddings):
    drag(embeddings, "tasks", 0, 0)
    assert place(embeddings) == ["0", "2"]


def test_the_pointer_lets_go(embeddings):
    drag(embeddings, "perform", -0.5, 0)
    embeddings.mouse.move(10, 10)
    assert place(embeddings) == ["0.5", "1"]


def test_choosing_a_word_goes_to_its_place(embeddings):
    embeddings.locator(".nk-live select").select_option("tasks")
    assert place(embeddings) == ["0", "2"]


def test_the_comparison_is_that_of_attnlib(embeddings):
    drag(embeddings, "robots", -1.2, -1.6)
    compared = widgets.embeddings("robots", -1.2, -0.6).compute()
    cells = embeddings.locator(".aw-compared tbody td").all_inner_texts()
    for column, expected in ((0, compared.dot), (1, compared.cosine)):
        shown = numbers(cells[column::3])
        np.testing.assert_allclose(shown, expected, atol=0.0051)


def test_a_drag_on_a_phone_does_not_scroll(open_page):
    page = open_page("book/01_embeddings.html", viewport=PHONE, has_touch=True)
    hold = page.locator(".aw-hold").first
    assert hold.evaluate("node => getComputedStyle(node).touchAction") == "none"


@pytest.fixture
def projections(open_page):
    return open_page("book/02_queries_keys_values.html")


def turn(page, label, value):
    """Set a slider by its label."""
    page.get_by_label(label, exact=True).evaluate(
        """(input, value) => {
            input.value = value;
            input.dispatchEvent(new Event("input", {bubbles: true}));
        }""",
        value,
    )


def test_one_weight_breaks_the_mirror(projections):
    note = projections.locator(".aw-view .aw-hint")
    assert "Symmetric" in note.inner_text()
    turn(projections, "W_Q (1, 2)", 1)
    assert "Not symmetric" in note.inner_text()
    turn(projections, "W_K (1, 2)", 1)
    assert note.inner_text().startswith("Symmetric")


def test_the_scores_are_those_of_attnlib(projections):
    w_query = np.array([[0.5, -1.0], [0.2, 1.5]])
    w_key = np.array([[-0.3, 0.7], [1.1, 0.4]])
    for letter, weights in (("Q", w_query), ("K", w_key)):
        for (row, column), weight in np.ndenumerate(weights):
            turn(projections, f"W_{letter} ({row + 1}, {column + 1})", weight)
    texts = projections.locator(".aw-heatmap rect.aw-cell + text").all_text_contents()
    scores = SelfAttention(w_query, w_key, np.eye(2)).trace(X).scores
    np.testing.assert_allclose(numbers(texts), scores.ravel(), atol=0.0051)
    assert projections.watch.clean()


def test_the_row_of_the_word_that_asks_is_framed(projections):
    projections.locator(".nk-live select").select_option("tasks")
    frame, cell = (
        projections.locator(place).bounding_box()
        for place in (".aw-asked", ".aw-heatmap rect.aw-cell >> nth=20")
    )
    assert abs(frame["y"] - cell["y"]) < 2
    assert "tasks" in projections.locator(".aw-view svg").first.text_content()
