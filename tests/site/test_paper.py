"""A page is printed in the light theme's colors, without what surrounds it."""

import pytest
from built_site import wait_until

COLORS = """() => [...document.querySelectorAll(".highlight pre, .highlight .n," +
  ".bd-article p code, .nk-feedback, .aw-meta")].map((one) =>
  getComputedStyle(one).color)"""
AROUND = """[...document.querySelectorAll(".bd-header, .bd-sidebar-primary, .copybtn")]
  .filter((one) => one.checkVisibility()).length"""
NOTED = f"""addEventListener("beforeprint", () => {{
  window.printed = ({COLORS})();
}})"""


def printed(page, theme):
    """Print a page; return the colors of its words on paper, and its theme after."""
    page.emulate_media(color_scheme=theme)
    wait_until(page, f"document.documentElement.dataset.theme === '{theme}'")
    page.pdf()
    after = page.evaluate("document.documentElement.dataset.theme")
    return page.evaluate("window.printed"), after


@pytest.mark.pages("book/04_softmax.html")
def test_a_dark_page_is_printed_as_a_light_one_and_stays_dark(open_page):
    page = open_page("book/04_softmax.html")
    page.evaluate(NOTED)
    light, dark = (printed(page, theme) for theme in ("light", "dark"))
    assert len(light[0]) > 50
    assert dark[0] == light[0]
    assert (light[1], dark[1]) == ("light", "dark")
    assert page.evaluate(AROUND) > 2
    page.emulate_media(media="print")
    assert page.evaluate(AROUND) == 0
