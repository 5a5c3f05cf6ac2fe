"""Without JavaScript every figure is a still picture that can be read.

On one page of each kind, among them that of all figures; before a release on all.
"""

import drawings
import pytest
from built_site import (
    HTML,
    KINDS,
    PHONE,
    WIDE,
    left,
    now,
    pages_with_figures,
    real_pages,
)

pytestmark = pytest.mark.long

NARROW = {"width": 320, "height": 800}
SMALLEST = 7.5  # pixels: the letters of a still picture, as they stand on the screen


def pages_with_pictures():
    text = {name: (HTML / name).read_text(encoding="utf-8") for name in real_pages()}
    having = [name for name, html in text.items() if 'class="aw-picture"' in html]
    return now(having, KINDS)


@pytest.fixture(scope="module", params=pages_with_pictures())
def plain(request, browser, site):
    """A page with pictures, opened once without JavaScript."""
    context = browser.new_context(viewport=WIDE, java_script_enabled=False)
    page = context.new_page()
    page.name = request.param
    page.goto(f"{site}/{request.param}")
    yield page
    context.close()


def test_still_picture_without_javascript(plain):
    stills = plain.locator(".nk-still .aw-picture").evaluate_all(drawings.SEEN)
    assert stills or plain.name not in pages_with_figures()
    for seen, label in stills:
        assert seen, label
        assert label


def test_letters_of_still_pictures_stand_out(plain):
    plain.set_viewport_size(WIDE)
    plain.locator("details").evaluate_all("all => all.map((one) => one.open = true)")
    for theme in ("dark", "light"):
        plain.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        found = left(plain, drawings.FAINT, [[4.5, drawings.STILL_LETTERS]])
        assert found == [], theme


def test_pictures_fit_and_can_be_read(plain):
    """On a phone all but the machine's, which is for a wide page or for fingers."""
    plain.set_viewport_size(PHONE)
    pictures = plain.locator(".aw-picture:not(:has(> svg[style*='width: 690']))")
    assert pictures.evaluate_all(drawings.SCROLL) == 0
    assert pictures.evaluate_all(drawings.CUT_OR_SMALL) == []
    plain.set_viewport_size(NARROW)
    pictures = plain.locator("article .aw-picture:has(text):visible")
    sizes = pictures.evaluate_all(drawings.SMALLEST)
    assert sizes or plain.name not in pages_with_figures()
    assert min(sizes, default=SMALLEST) >= SMALLEST, sizes
