"""On a phone that is turned all fits."""

from built_site import PHONE

TURNED = {"width": PHONE["height"], "height": PHONE["width"]}


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
