"""What a page weighs, what holds it up, and whether it jumps.

Bytes are counted as a static host sends them: text compressed with gzip, fonts and
pictures as they are. Nothing here is timed.
"""

import gzip
import re
from functools import cache
from urllib.parse import urlsplit

import pytest
from built_site import HTML, PHONE, WIDE, pages_with_figures, real_pages

FIRST_VISIT, NEXT_VISIT = 350_000, 80_000  # bytes
SHIFT = 0.02
PACKED = {".woff2", ".png", ".zip"}
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) shifts.push(one.value);
}).observe({ type: "layout-shift", buffered: true });
"""
PAINTED = """new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""


@cache
def sent(path):
    """The bytes that a host sends for one file."""
    data = (HTML / path).read_bytes()
    packed = (HTML / path).suffix in PACKED
    return len(data) if packed else len(gzip.compress(data, 9, mtime=0))


@pytest.fixture(scope="module")
def asked_by(browser, site):
    """A function that opens a page, scrolls through it and returns what it asks for."""
    context = browser.new_context(viewport=WIDE)

    @cache
    def visit(name):
        page, asked = context.new_page(), set()
        page.on("request", lambda one: asked.add(urlsplit(one.url)))
        page.goto(f"{site}/{name}", wait_until="load")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.evaluate("document.fonts.ready.then(() => {})")
        page.wait_for_load_state("networkidle")
        page.close()
        return {one.path.lstrip("/") for one in asked if one.scheme == "http"}

    yield visit
    context.close()


@pytest.fixture(params=real_pages())
def name(request):
    return request.param


def test_a_visit_is_light(asked_by, name):
    """The first page with nothing kept, then this page with what the first one left."""
    before = "book/index.html" if name != "book/index.html" else "book/03_scaling.html"
    kept, asked = asked_by(before), asked_by(name)
    assert name in asked
    assert sum(map(sent, asked)) <= FIRST_VISIT
    assert sum(map(sent, asked - kept)) <= NEXT_VISIT


def test_no_script_holds_up_the_page(name):
    html = (HTML / name).read_text(encoding="utf-8")
    for attributes in re.findall(r"<script\b([^>]*\ssrc=[^>]*)>", html):
        assert re.search(r"\b(defer|async)\b", attributes), attributes


def test_says_what_it_is(name):
    html = (HTML / name).read_text(encoding="utf-8")
    (description,) = re.findall(r'<meta name="description" content="([^"]+)"', html)
    assert 20 <= len(description) <= 250
    assert html.count('<meta name="viewport"') == 1
    assert re.search(r'<link rel="icon" href="[^"]*favicon\.svg"', html)


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("name", pages_with_figures())
def test_nothing_moves_when_figures_come(browser, site, name, screen):
    """The figures are mounted only after the page was painted without them."""
    context = browser.new_context(viewport=screen)
    page = context.new_page()
    page.add_init_script(WATCH_SHIFTS)
    held = []
    page.route("**/mount-widgets.js*", lambda route: held.append(route))
    page.goto(f"{site}/{name}", wait_until="commit")
    page.wait_for_selector("footer.bd-footer", state="attached")
    page.evaluate(PAINTED)
    for route in held:
        route.continue_()
    page.wait_for_function("window.mountWidgets")
    assert page.evaluate("mountWidgets.ready.then((all) => all.live)")
    page.evaluate(PAINTED)
    assert page.evaluate("shifts.reduce((a, b) => a + b, 0)") < SHIFT
    context.close()


def test_small_files_weigh_what_a_host_sends():
    """A check of the counting itself: text is counted compressed, fonts are not."""
    (font, *_) = HTML.rglob("*.woff2")
    assert sent(font.relative_to(HTML)) == font.stat().st_size
    page = HTML / "book" / "api.html"
    assert sent(page.relative_to(HTML)) < page.stat().st_size / 4
