"""At 320 pixels, and on a phone that is turned: drawings stay readable, all fits."""

import pytest
from built_site import PHONE, pages_with_figures

NARROW = {"width": 320, "height": 800}
TURNED = {"width": PHONE["height"], "height": PHONE["width"]}
SMALLEST = 7.5  # pixels: the letters of a drawing as they stand on the screen
LETTERS = """picture => {
  const scale = picture.querySelector("svg").getScreenCTM().a;
  return Math.min(...[...picture.querySelectorAll("text")].map((one) =>
    parseFloat(getComputedStyle(one).fontSize) * scale));
}"""


@pytest.mark.parametrize("name", pages_with_figures())
def test_letters_of_drawings_are_readable(open_page, name):
    page = open_page(name, viewport=NARROW, java_script_enabled=False)
    pictures = page.locator("article .aw-picture:has(text):visible").all()
    assert pictures
    sizes = [picture.evaluate(LETTERS) for picture in pictures]
    assert min(sizes) >= SMALLEST, sizes


def test_a_turned_phone_is_looked_at_anew(open_page):
    """What scrolls only upright gives its place in the order of focus back."""
    page = open_page("book/glossary.html", viewport=PHONE)
    marked = "document.querySelectorAll('[data-nk-scrolls]').length"
    overflowing = """[...document.querySelectorAll("[data-nk-scrolls]")].filter((one) =>
        one.scrollWidth <= one.clientWidth).length"""
    page.wait_for_function(f"{marked} > 0")
    for screen in (TURNED, PHONE):
        page.set_viewport_size(screen)
        page.wait_for_timeout(200)
        assert page.evaluate(overflowing) == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
