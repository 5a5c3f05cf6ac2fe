"""At 320 pixels: nothing leaves its frame, drawings stay readable, scrolling works."""

import pytest
from built_site import pages_with_figures, real_pages

NARROW = {"width": 320, "height": 800}
SMALLEST = 7.5  # pixels: the letters of a drawing as they stand on the screen
OUTSIDE = """figure => {
  const frame = figure.getBoundingClientRect();
  const scrolls = (one) => one && one !== figure &&
    (getComputedStyle(one).overflowX !== "visible" || scrolls(one.parentElement));
  return [...figure.querySelectorAll(".nk-live *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 1 && box.right > frame.right + 1 && !scrolls(one);
  }).map((one) => one.outerHTML.slice(0, 90));
}"""
LETTERS = """picture => {
  const scale = picture.querySelector("svg").getScreenCTM().a;
  return Math.min(...[...picture.querySelectorAll("text")].map((one) =>
    parseFloat(getComputedStyle(one).fontSize) * scale));
}"""
UNREACHED = """() => [...document.querySelectorAll("article *")].filter((one) =>
  ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && one.clientWidth &&
  one.scrollWidth > one.clientWidth && one.tabIndex < 0 && !one.closest("[tabindex]")
).map((one) => one.outerHTML.slice(0, 90))"""
APART = """all => all.every((a) => all.every((b) => {
  const [one, two] = [a, b].map((table) => table.getBoundingClientRect());
  return a === b || one.right <= two.left || two.right <= one.left ||
    one.bottom <= two.top || two.bottom <= one.top;
}))"""


@pytest.mark.parametrize("name", pages_with_figures())
def test_figures_keep_inside_their_frames(open_page, name):
    page = open_page(name, viewport=NARROW)
    figures = page.locator(".nk-figure:has(.nk-live)").all()
    assert figures
    for figure in figures:
        assert figure.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("name", pages_with_figures())
def test_letters_of_drawings_are_readable(open_page, name):
    page = open_page(name, viewport=NARROW, java_script_enabled=False)
    pictures = page.locator("article .aw-picture:has(text):visible").all()
    assert pictures
    sizes = [picture.evaluate(LETTERS) for picture in pictures]
    assert min(sizes) >= SMALLEST, sizes


@pytest.mark.parametrize("name", real_pages())
def test_what_scrolls_is_reached_by_keyboard(open_page, name):
    page = open_page(name, viewport=NARROW)
    assert page.evaluate(UNREACHED) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
@pytest.mark.parametrize("name", ["book/sources.html"])
def test_tables_of_a_trace_stand_apart(open_page, name, width):
    page = open_page(name, viewport={"width": width, "height": 800})
    tables = page.locator(".aw-trace table")
    assert tables.count() >= 8
    assert tables.evaluate_all(APART)
