"""No letter of a live figure is smaller than 11 pixels, on any screen."""

import re

import pytest
from built_site import real_pages, uncover

WIDTHS = (320, 390, 1280)
LEAST = 10.95  # pixels, as they stand on the screen
CHECKED = re.compile(r"book/(index|machine|ask_another|0\d_|puzzles/)")
FOUND = """least => [...document.querySelectorAll(".nk-live *")].flatMap((one) => {
  const own = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const apart = one.closest(".mx-out, .mx-header, select");
  const unseen = apart || !one.getClientRects().length;
  const style = getComputedStyle(one);
  if (!own || unseen || style.visibility === "hidden") return [];
  const drawn = one.ownerSVGElement && one.getScreenCTM();
  const size = parseFloat(style.fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
  return size < least ? [`${size.toFixed(1)}: ${one.textContent.trim()}`] : [];
})"""
SHRINK = """() => {
  for (const one of document.querySelectorAll(".nk-live svg text"))
    one.style.setProperty("font-size", "5px", "important");
}"""
SETTLED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [one for one in real_pages() if CHECKED.match(one)])
def test_no_letter_of_a_figure_is_too_small(open_page, name, width):
    page = open_page(name, viewport={"width": width, "height": 900})
    uncover(page)
    page.evaluate("window.mountWidgets?.ready")
    page.evaluate(SETTLED)
    assert page.evaluate(FOUND, LEAST) == []
    if page.locator(".nk-live svg text:visible").count():
        page.evaluate(SHRINK)
        assert page.evaluate(FOUND, LEAST)
