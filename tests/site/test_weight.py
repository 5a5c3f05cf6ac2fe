"""The weight of a page, scripts that hold it up, and jumps.

Bytes are counted as a static host sends them: text compressed with gzip, fonts and
pictures as they are. Nothing here is timed.
"""

import gzip
import re
from functools import cache
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from built_site import (
    HTML,
    PAINTED,
    PHONE,
    WIDE,
    now,
    pages_with_figures,
    real_pages,
    wait_until,
)
from listed import listed

pytestmark = pytest.mark.long

# Bytes. Of the next visit, to a lesson with the machine live and as a picture, 43 kB
# or more are the letters of formulas, which the first page does without.
FIRST_VISIT, NEXT_VISIT = 250_000, 135_000
SHIFT = 0.02
FIRST = "book/index.html"
LESSONS = [f"{page}.html" for page in listed() if re.match(r"book/\d", page)]
FAVICON = "_static/favicon.svg"
OTHER = [*LESSONS[2:3], *LESSONS, FIRST][0]  # the third, or one of fewer
PACKED = {".woff2", ".png", ".zip"}
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) shifts.push(one.value);
}).observe({ type: "layout-shift", buffered: true });
"""
ALL_COVERED = """[...document.querySelectorAll(".nk-figure")]
  .every((one) => one.closest(".nk-covered[hidden]"))"""


@cache
def sent(path):
    """The bytes that a host sends for one file."""
    data = (HTML / path).read_bytes()
    packed = (HTML / path).suffix in PACKED
    return len(data) if packed else len(gzip.compress(data, 9, mtime=0))


@pytest.fixture(scope="module")
def visit(browser, site):
    """A function that opens a page anew and says whether it jumps and what it asks for.

    Figures are mounted only after the page was painted without them. On a wide screen
    it is scrolled through after that; what a phone asks for nobody wants to know.
    """

    @cache
    def open_it(name, width, height):
        context = browser.new_context(viewport={"width": width, "height": height})
        page, asked, held = context.new_page(), set(), []
        page.add_init_script(WATCH_SHIFTS)
        page.on("request", lambda one: asked.add(urlsplit(one.url)))
        page.route("**/mount-widgets.js*", lambda route: held.append(route))
        page.goto(f"{site}/{name}", wait_until="commit")
        wait_until(page, "document.readyState !== 'loading'")
        page.evaluate(PAINTED)
        for route in held:
            route.continue_()
        page.wait_for_load_state("load")
        live = page.evaluate("window.mountWidgets?.ready.then((all) => all.live)")
        page.evaluate(PAINTED)
        covered = page.evaluate(ALL_COVERED)
        shift = page.evaluate("shifts.reduce((a, b) => a + b, 0)")
        if width == WIDE["width"]:
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
            page.evaluate("document.fonts.ready.then(() => {})")
            page.wait_for_load_state("networkidle")
        context.close()
        files = {one.path.lstrip("/") for one in asked if one.scheme == "http"}
        files.add(FAVICON)  # which some browsers ask for, and some do not
        return SimpleNamespace(asked=files, live=live, covered=covered, shift=shift)

    return lambda name, screen=WIDE: open_it(name, **screen)


@pytest.mark.parametrize("name", real_pages())
def test_a_visit_is_light(visit, name):
    """The first page with nothing kept, then this page with what the first one left."""
    before = FIRST if name != FIRST else OTHER
    kept, asked = visit(before).asked, visit(name).asked
    assert name in asked
    assert sum(map(sent, asked)) <= FIRST_VISIT
    assert sum(map(sent, asked - kept)) <= NEXT_VISIT


def test_no_script_holds_up_a_page():
    later = re.compile(r"\b(defer|async)\b")
    for name in real_pages():
        html = (HTML / name).read_text(encoding="utf-8")
        scripts = re.findall(r"<script\b([^>]*\ssrc=[^>]*)>", html)
        assert scripts or name == "404.html"  # which has none
        assert [one for one in scripts if not later.search(one)] == [], name


def test_each_page_says_what_it_is():
    icon = re.compile(r'<link rel="icon" href="(data:image/|[^"]*favicon\.svg")')
    for name in real_pages():
        html = (HTML / name).read_text(encoding="utf-8")
        (description,) = re.findall(r'<meta name="description" content="([^"]+)"', html)
        assert 20 <= len(description) <= 250, name
        assert html.count('<meta name="viewport"') == 1, name
        assert icon.search(html), name


@pytest.mark.parametrize("name", pages_with_figures())
def test_nothing_moves_when_figures_come(visit, name):
    check_still(visit(name))


@pytest.mark.parametrize("name", now(pages_with_figures(), (FIRST, OTHER)))
def test_nothing_moves_on_a_phone_either(visit, name):
    check_still(visit(name, PHONE))


def check_still(seen):
    assert seen.live or seen.covered  # until one has guessed
    assert seen.shift < SHIFT


@pytest.mark.pages("book/api.html")
def test_small_files_weigh_what_a_host_sends():
    """A check of the counting itself: text is counted compressed, fonts are not."""
    (font, *_) = HTML.rglob("*.woff2")
    assert sent(font.relative_to(HTML)) == font.stat().st_size
    page = HTML / "book" / "api.html"
    assert sent(page.relative_to(HTML)) < page.stat().st_size / 4
