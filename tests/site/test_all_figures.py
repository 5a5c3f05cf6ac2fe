"""All figures: each with its question, its picture, its lesson, and its address."""

import re

import pytest
from bs4 import BeautifulSoup
from built_site import HTML

from attncourse.figures.kit.declared import LIGHT
from attncourse.figures.kit.slots import plain
from attncourse.figures.listed import figure
from attncourse.site.embeds import weight

PAGE = "book/all_figures.html"
pytestmark = pytest.mark.pages(PAGE)
EMBEDDED = sorted(path.stem for path in HTML.glob("embed/*.html"))
STATE = "document.querySelector('.aw-view').figure.state"


@pytest.fixture(scope="module")
def gallery():
    return BeautifulSoup((HTML / PAGE).read_text("utf-8"), "html.parser")


def section(page, name):
    return page.select_one(f"section#{name.replace('_', '-')}")


def test_each_figure_with_a_page_is_there_once_and_no_other(gallery):
    ids = {one["id"] for one in gallery.select("section section[id]")}
    assert {name.replace("_", "-") for name in EMBEDDED} <= ids
    assert len(gallery.select("figure.aw-picture")) == len(EMBEDDED)


@pytest.mark.parametrize("name", EMBEDDED)
def test_it_has_a_question_a_picture_a_lesson_and_an_address(gallery, name):
    here = section(gallery, name)
    title = here.find(re.compile(r"h\d")).text.rstrip("#").strip()
    assert here.p.text.strip().endswith(("?", "."))
    (picture,) = here.select("[role=img]")
    assert picture["aria-label"].startswith(f"{title}. ")
    last = here.select("p")[-1]
    lesson, address = (one["href"] for one in last.select("a"))
    assert (HTML / "book" / lesson).exists()
    file = HTML / "embed" / f"{name}.html"
    assert (HTML / "book" / address.partition("?")[0]).resolve() == file
    heavy = weight(file.read_text("utf-8")) > LIGHT
    assert heavy == ("kB at most" in last.text)


SHOWN = ["book/05_weighted_sum.html", "book/who_shares.html", "book/machine.html"]


@pytest.mark.pages(*SHOWN)
@pytest.mark.parametrize("name", ["cache_size", "weighted_sum", "machine"])
def test_its_address_opens_it_as_the_lesson_does(gallery, open_page, name):
    address = section(gallery, name).select("p")[-1].select("a")[-1]["href"]
    page = open_page(f"book/{address}")
    machine = figure("machine")
    states = {
        "cache_size": {"tokens": 1024, "heads": 32, "window": "none"},
        "weighted_sum": {"parts": [3, 2, 1]},
        "machine": plain(machine(stage=8, whole=1, pick=1, at="A.3.0").state),
    }
    assert page.evaluate(STATE) == states[name]
    assert page.get_by_role("note").count() == 0
    assert page.watch.clean(), page.watch.errors
