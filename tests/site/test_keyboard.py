"""A keyboard reaches everything, in the order of the page, and one sees where it is."""

import itertools
import re

import pytest
from built_site import HTML, IN_SIGHT, now, pages, pages_with_figures
from listed import listed

SHOWN = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const box = one.getBoundingClientRect();
  return {
    name: one.outerHTML.slice(0, 120),
    shown: ring || style.boxShadow !== "none",
    top: box.top + scrollY,
    article: Boolean(one.closest("article")),
    skip: one.matches(".skip-link a"),
  };
}"""


def stops(page, count):
    """What Tab comes by, one after the other, until the page ends."""
    for _ in range(count):
        page.keyboard.press("Tab")
        stop = page.evaluate(SHOWN)
        if stop["name"].startswith("<body"):
            return
        yield stop


def test_nothing_jumps_the_queue():
    for name in pages():
        html = (HTML / name).read_text(encoding="utf-8")
        assert re.findall(r'tabindex="[1-9]', html) == [], name


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.pages(name))
        for name in ("book/index.html", "book/03_scaling.html")
    ],
)
def test_focus_is_seen_and_goes_down_the_page(open_page, name):
    page = open_page(name)
    seen = list(stops(page, 80))
    assert seen[0]["skip"], "the first stop is the link that skips the side bar"
    assert [one["name"] for one in seen if not one["shown"]] == []
    tops = [one["top"] for one in seen if one["article"]]
    assert len(tops) > 8
    lines = 40  # pixels: two controls side by side are not at the same height
    assert all(b > a - lines for a, b in itertools.pairwise(tops))


TWICE = {"width": 640, "height": 360}  # 1280 by 720 at 200 %
FEW = ("book/08_encoder.html",)


@pytest.mark.parametrize("name", now(pages_with_figures(), FEW))
def test_nothing_covers_the_focus_at_200_percent(open_page, name):
    """There and back, under the header, the bars of figures and the sum."""
    page = open_page(name, viewport=TWICE, reduced_motion="reduce")
    for way in ("Tab", "Shift+Tab"):
        seen = []
        while not seen or page.evaluate("document.activeElement !== document.body"):
            page.keyboard.press(way)
            seen.append(page.evaluate(IN_SIGHT) or page.evaluate(SHOWN)["name"])
        assert len(seen) > 20
        assert {*seen[:-1]} == {True}


@pytest.mark.pages("book/glossary.html")
def test_a_wide_table_scrolls_by_keyboard(open_page):
    page = open_page("book/glossary.html", viewport={"width": 320, "height": 800})
    boxes = page.locator(".pst-scrollable-table-container")
    wide = [
        box
        for box in boxes.all()
        if box.evaluate("one => one.scrollWidth > one.clientWidth")
    ]
    assert boxes.count()  # stacked on a phone, most no longer scroll
    assert all(box.get_attribute("tabindex") == "0" for box in wide)


def test_tables_have_headers_and_names():
    names = [f"{name}.html" for name in listed()]
    html = "".join((HTML / name).read_text(encoding="utf-8") for name in names)
    tables = re.findall(r"<table\b([^>]*)>(.*?)</table>", html, re.DOTALL)
    assert len(tables) > 60
    for attributes, inner in tables:
        assert "<th" in inner, inner
        assert 'aria-label="' in attributes or "<caption" in inner, inner
