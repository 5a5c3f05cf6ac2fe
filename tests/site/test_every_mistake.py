"""The list of known mistakes is found through by a word, or by an exercise's name."""

import re

import pytest

PAGE = "book/every_mistake.html"
pytestmark = pytest.mark.pages(PAGE)
SHOWN = "all => all.filter((one) => one.offsetParent).length"


@pytest.fixture
def page(visit):
    return visit(PAGE)


def shown(page, selector):
    return page.locator(selector).evaluate_all(SHOWN)


def test_a_word_leaves_the_mistakes_that_have_it(page):
    exercises = shown(page, "article section section[id]")
    page.get_by_label("Find a mistake").fill("keepdims")
    some = shown(page, "article section section[id]")
    assert 0 < some < exercises
    told = page.locator(".aw-mistakes-filter [role=status]").inner_text()
    assert told.endswith(f"in {some} exercises.")
    open_now = page.locator("article section section[id] dl > dt:visible")
    texts = open_now.all_text_contents()
    assert texts
    page.get_by_label("Find a mistake").fill("")
    assert shown(page, "article section section[id]") == exercises


def test_an_exercise_is_found_by_its_name(page):
    page.get_by_label("Find a mistake").fill("scale_scores")
    assert page.locator("#scale-scores").is_visible()
    assert page.locator("#softmax").is_hidden()
    assert page.locator("#scale-scores details").get_attribute("open") is None


def test_no_name_of_it_is_private(page):
    names = page.locator("article code").all_text_contents()
    assert [name for name in names if re.search(r"\b_[a-z]\w*\(", name)] == []
