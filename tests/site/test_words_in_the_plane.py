"""Lessons 1 and 2: drag a word or its query; what is shown is what attnlib says."""

import numpy as np
import pytest
from built_site import PHONE, SAID, resize, tap, wait_until

from attncourse.figures.embeddings import live as embeddings_figure
from attncourse.figures.projections import live as projections_figure

LESSON_1 = pytest.mark.pages("book/01_embeddings.html")
LESSON_2 = pytest.mark.pages("book/02_queries_keys_values.html")


def numbers(texts):
    return [float(text.replace("−", "-")) for text in texts]


def drag(page, svg, hold, unit, across, up):
    """Drag what can be held by some units of the plane; return nothing."""
    plane = page.locator(svg).first
    plane.scroll_into_view_if_needed()
    tip = hold.bounding_box()
    unit = plane.bounding_box()["width"] / unit
    x, y = tip["x"] + tip["width"] / 2, tip["y"] + tip["height"] / 2
    page.mouse.move(x + 3, y - 2)  # a hand is never exact: the word must not jump
    page.mouse.down()
    page.mouse.move(x + 3 + across * unit, y - 2 - up * unit, steps=4)
    page.mouse.up()


def held(page, name):
    """What one takes hold of, by the name that a screen reader says."""
    return page.get_by_role("slider", name=f"{name}: arrow keys move it", exact=True)


def sliders(page):
    return [s.input_value() for s in page.locator(".nk-live input[type=range]").all()]


@pytest.fixture
def embeddings(visit):
    return visit("book/01_embeddings.html")


def drag_word(page, word, across, up):
    drag(page, ".aw-plane-of-words svg", held(page, word), 4.8, across, up)


@LESSON_1
def test_a_word_under_another_arrow_is_held_and_the_right_button_drags_none(embeddings):
    """The arrow of "bread" passes over the tip of "food"."""
    hold = embeddings.locator(".aw-hold").nth(3)
    hold.scroll_into_view_if_needed()
    box = hold.bounding_box()
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    held = "([x, y]) => document.elementFromPoint(x, y).matches('.aw-hold')"
    assert embeddings.evaluate(held, at)
    before = sliders(embeddings)
    embeddings.mouse.move(*at)
    embeddings.mouse.down(button="right")
    embeddings.mouse.move(at[0] - 30, at[1] - 30, steps=3)
    embeddings.mouse.up(button="right")
    assert sliders(embeddings) == before


@LESSON_1
def test_a_dragged_word_moves_its_sliders_within_the_picture(embeddings):
    for across, up, expected in (
        (0.7, -0.4, ["1.7", "-0.4"]),
        (3, -9, ["2", "-2"]),  # as far as the picture goes
        (-0.5, 2, ["1.5", "0"]),
    ):
        drag_word(embeddings, "dog", across, up)
        assert sliders(embeddings) == expected
    embeddings.mouse.move(10, 10)  # the pointer has let go
    assert sliders(embeddings) == ["1.5", "0"]
    assert embeddings.locator(".aw-compared td").first.inner_text() == "?"
    assert embeddings.watch.clean()


@LESSON_1
def test_choosing_a_word_goes_to_its_place(embeddings):
    embeddings.locator(".nk-chips", has_text="Moves").get_by_text("bread").click()
    assert sliders(embeddings) == ["0", "1.5"]


@LESSON_1
def test_another_word_that_is_dragged_is_compared_as_attnlib_does(embeddings):
    embeddings.locator(".nk-chips", has_text="Shadow of").get_by_text("fish").click()
    drag_word(embeddings, "cat", -1.2, -1.1)
    compared = embeddings_figure.panel("cat", "fish", (-0.2, -1.6)).compute()
    cells = embeddings.locator(".aw-compared tbody td").all_inner_texts()
    for column, expected in ((0, compared.dot), (1, compared.cosine)):
        np.testing.assert_allclose(numbers(cells[column::3]), expected, atol=0.0051)
    shadow = f"shadow {compared.shadow:.2f}".replace("-", "−")
    assert shadow in embeddings.locator(".aw-rule").inner_text()
    drag_word(embeddings, "fish", -0.5, -3.5)
    assert sliders(embeddings) == ["1.5", "-1.5"]
    chosen = embeddings.locator(".nk-chips > * > span:has(:checked)")
    assert sorted(chosen.all_inner_texts()) == ["cat", "fish"]


@LESSON_1
def test_the_first_question_opens_unanswered(open_page):
    embeddings = open_page("book/01_embeddings.html")
    embeddings.evaluate("window.nokernelPredictions.forget()")
    answer = embeddings.get_by_text("The answer depends on how you compare")
    cells = embeddings.locator(".aw-compared tbody td")
    assert not answer.is_visible()
    assert {text.strip() for text in cells.all_inner_texts()} == {"?", ""}
    held(embeddings, "cat").click()
    assert answer.is_visible()
    assert "0.89" in cells.all_inner_texts()


@pytest.fixture
def projections(visit):
    return visit("book/02_queries_keys_values.html")


def drag_query(page, word, across, up):
    drag(page, ".aw-mirror svg", held(page, f"query of {word}"), 4, across, up)


ON_GRIPS = """(all) => all.filter((name) => {
    const { left, right, top, bottom } = name.getBoundingClientRect();
    return [...document.querySelectorAll(".aw-mirror .aw-grip")].some((grip) => {
        const { x, y, width, height } = grip.getBoundingClientRect();
        const [across, up] = [x + width / 2, y + height / 2];
        return left < across && across < right && top < up && up < bottom;
    });
}).map((name) => name.textContent)"""


@LESSON_2
def test_no_name_stands_on_a_dot_that_is_held(projections):
    """At the start every query lies on its key."""
    resize(projections, PHONE)
    names = projections.locator(".aw-mirror .aw-columns > svg g g text")
    assert names.count() == 6
    assert [text for text in names.all_text_contents() if text]
    assert names.evaluate_all(ON_GRIPS) == []


LAID_ON = """(all) => {
    const boxes = all.filter((name) => name.textContent)
        .map((name) => name.getBoundingClientRect());
    return boxes.some((a, i) => boxes.slice(0, i).some((b) => a.left < b.right
        && b.left < a.right && Math.abs(a.top - b.top) < 0.6 * a.height));
}"""


@LESSON_2
def test_no_name_lies_on_another(open_page):
    """While "hungry" moves along the line of "dog", with one arrow for both."""
    page = open_page("book/02_queries_keys_values.html")
    names = page.locator(".aw-mirror .aw-columns > svg g g text")
    for alive in np.arange(0, 2.1, 0.2).round(1):
        page.get_by_label("Hungry asks, alive").fill(str(alive))
        assert not names.evaluate_all(LAID_ON), alive


@LESSON_2
def test_two_matrices_break_the_mirror_and_a_key_is_dragged_alone(projections):
    projections.get_by_label("One arrow for both").uncheck()
    drag_query(projections, "hungry", 1, 0)
    assert sliders(projections) == ["1", "0", "1", "0", "1", "0", "0", "0"]
    assert "Goal reached" in projections.locator(".aw-note").inner_text()
    assert projections.locator(".aw-reached").count() == 2
    lit = projections.locator(".aw-mirror text.aw-lit").all_text_contents()
    assert lit == ["0.00", "1.00"]  # dog asks hungry, hungry asks dog
    drag(projections, ".aw-mirror svg", held(projections, "key of hungry"), 4, 0, -1)
    assert sliders(projections) == ["1", "0", "1", "0", "1", "0", "0", "-1"]
    assert projections.watch.clean()


@LESSON_2
def test_the_scores_are_those_of_attnlib(projections):
    w_query = np.array([[0.5, -1.0], [0.2, 1.5]])
    w_key = np.array([[-0.3, 0.7], [1.1, 0.4]])
    projections.get_by_label("One arrow for both").uncheck()
    for letter, weights in (("Q", w_query), ("K", w_key)):
        for (row, column), weight in np.ndenumerate(weights):
            word, axis = ["Dog", "Hungry"][row], ["alive", "edible"][column]
            does = {"Q": "asks", "K": "answers"}[letter]
            projections.get_by_label(f"{word} {does}, {axis}").fill(str(weight))
    texts = projections.locator(".aw-heatmap rect.aw-cell + text").all_text_contents()
    arrows = [tuple(w_query[0]), tuple(w_query[1]), tuple(w_key[0]), tuple(w_key[1])]
    names = ("dog_query", "hungry_query", "dog_key", "hungry_key")
    apart = dict(zip(names, arrows, strict=True))
    scores = projections_figure.panel(shared=False, **apart).compute().scores
    np.testing.assert_allclose(numbers(texts), scores.ravel(), atol=0.0051)


@LESSON_2
def test_with_one_matrix_the_goal_is_out_of_reach_and_apart_the_keys_go_home(open_page):
    projections = open_page("book/02_queries_keys_values.html")
    note = projections.locator(".aw-note")
    drag_query(projections, "hungry", 1.2, 0.6)
    assert sliders(projections)[:2] == sliders(projections)[6:8] == ["1.2", "0.6"]
    assert note.inner_text() == "hungry → dog 1.20, dog → hungry 1.20."
    assert projections.locator(".aw-reached").count() == 1
    projections.get_by_label("One arrow for both").uncheck()
    assert sliders(projections) == ["1.2", "0.6", "1", "0", "1", "0", "0", "0"]


STATE = "document.querySelector('.aw-view').figure.state"
PICTURE = ".aw-view svg"
WHOLE = """(one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight + 1;
}"""


@LESSON_1
def test_on_a_phone_what_is_pressed_in_the_text_sets_the_figure_and_shows_it(open_page):
    page = open_page("book/01_embeddings.html", viewport=PHONE, has_touch=True)
    tap(page.locator(".nk-number", has_text="(2, 0)"))
    assert page.evaluate(f"{STATE}.at") == [2, 0]
    tap(page.locator(".nk-number", has_text="fish"))
    assert page.evaluate(STATE) == {"word": "dog", "other": "fish", "at": [2, 0]}
    assert page.locator(PICTURE).first.evaluate(WHOLE)


@pytest.mark.pages("book/05_weighted_sum.html")
def test_what_is_pressed_by_key_is_said_keeps_the_focus_and_back_leads_there(open_page):
    page = open_page("book/05_weighted_sum.html")
    for query in ([6, 0], [0, 6], [0, 0]):
        number = page.locator(".nk-number", has_text=f"({query[0]}, {query[1]})").first
        number.focus()
        page.keyboard.press("Enter")
        assert page.evaluate(f"{STATE}.query") == query
        assert number.evaluate("one => one === document.activeElement")
        assert page.locator(PICTURE).first.evaluate(WHOLE)
    wait_until(page, f"{SAID}.includes('output near the others')")
    page.evaluate("scrollTo(0, 0)")
    number.scroll_into_view_if_needed()
    there = page.evaluate("scrollY")
    number.press("Enter")
    assert page.evaluate("scrollY") < there
    page.go_back()
    wait_until(page, f"scrollY === {there}")


@LESSON_2
@pytest.mark.parametrize("width", [390, 1280])
def test_with_the_goal_reached_a_key_is_named_below_the_tip_that_queries_share(
    open_page, width
):
    page = open_page(
        "book/02_queries_keys_values.html", viewport={"width": width, "height": 844}
    )
    show = "one => one.dispatchEvent(new Event('nk:show'))"
    page.locator(".aw-mirror").evaluate(show)
    page.wait_for_selector(".aw-won")
    names = page.locator(".aw-mirror .aw-columns > svg g g text")
    assert not names.evaluate_all(LAID_ON)
    key, dot = names.get_by_text("dog", exact=True), page.locator(".aw-ring").first
    low = dot.bounding_box()
    assert key.bounding_box()["y"] >= low["y"] + low["height"]
