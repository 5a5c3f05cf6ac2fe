"""All figures: each with its question, its picture, its lesson, and its address."""

import pytest
from built_site import HTML, PHONE

from attncourse.figures.kit.declared import LIGHT
from attncourse.figures.kit.slots import plain
from attncourse.figures.listed import figure
from attncourse.site.embeds import weight

PAGE = "book/all_figures.html"
pytestmark = pytest.mark.pages(PAGE)
EMBEDDED = sorted(path.stem for path in HTML.glob("embed/*.html"))
STATE = "document.querySelector('.aw-view').figure.state"


@pytest.fixture(scope="module")
def gallery(browser, site):
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(f"{site}/{PAGE}")
    yield page
    context.close()


def section(page, name):
    return page.locator(f"section#{name.replace('_', '-')}")


def test_each_figure_with_a_page_is_there_once_and_no_other(gallery):
    found = gallery.locator("section section section, article section > section")
    ids = found.evaluate_all("all => all.map((one) => one.id)")
    assert sorted(set(ids) & {n.replace("_", "-") for n in EMBEDDED}) == sorted(
        name.replace("_", "-") for name in EMBEDDED
    )
    assert gallery.locator("figure.aw-picture").count() == len(EMBEDDED)


@pytest.mark.parametrize("name", EMBEDDED)
def test_it_has_a_question_a_picture_a_lesson_and_an_address(gallery, name):
    here = section(gallery, name)
    title = here.get_by_role("heading").inner_text().rstrip("#").strip()
    assert here.locator("p").first.inner_text().strip().endswith(("?", "."))
    picture = here.get_by_role("img")
    assert picture.get_attribute("aria-label").startswith(f"{title}. ")
    assert picture.bounding_box()["height"] > 80
    lesson, address = here.locator("p").last.get_by_role("link").all()
    assert (HTML / "book" / lesson.get_attribute("href")).exists()
    path = address.get_attribute("href").partition("?")[0]
    file = HTML / "embed" / f"{name}.html"
    assert (HTML / "book" / path).resolve() == file
    heavy = weight(file.read_text("utf-8")) > LIGHT
    assert heavy == ("kB at most" in here.locator("p").last.inner_text())


SHOWN = ["book/05_weighted_sum.html", "book/who_shares.html", "book/machine.html"]


@pytest.mark.pages(*SHOWN)
@pytest.mark.parametrize("name", ["cache_size", "weighted_sum", "machine"])
def test_its_address_opens_it_as_the_lesson_does(gallery, open_page, name):
    address = section(gallery, name).locator("p").last.get_by_role("link").last
    page = open_page(address.evaluate("one => new URL(one.href).pathname + one.search"))
    states = {
        "cache_size": {"tokens": 1024, "heads": 32, "window": "none"},
        "weighted_sum": {"parts": [3, 2, 1]},
        "machine": {**plain(figure("machine")().state), "stage": 8, "whole": 1},
    }
    assert page.evaluate(STATE) == states[name]
    assert page.get_by_role("note").count() == 0
    assert page.watch.clean(), page.watch.errors
