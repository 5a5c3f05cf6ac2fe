"""Every page of the site: light, without errors or other hosts, accessible, it fits.

Each is opened once, from a host, for all that is looked at on it. From a folder are
opened those with figures, in `test_live_figures.py`, and here, of the others, one page
for each set of scripts.
"""

import re

import drawings
import pytest
from axe_on_pages import WHOLE, configure, themes, violations
from built_site import (
    HTML,
    WIDE,
    left,
    pages_with_figures,
    real_pages,
    resize,
    uncover,
)
from listed import listed
from test_present import ONE, every_screen_fits
from visits import opened, sent

pytestmark = pytest.mark.long

# Bytes. Of the next visit, to a lesson with the machine live and as a picture, 43 kB
# or more are the letters of formulas, which the first page does without. That of all
# figures brings the picture and the words of each.
FIRST_VISIT, NEXT_VISIT, EACH_FIGURE = 250_000, 135_000, 2_000
SHIFT = 0.025
FIRST = "book/index.html"
LESSONS = [f"{page}.html" for page in listed() if re.match(r"book/\d", page)]
OTHER = [*LESSONS[2:3], *LESSONS, FIRST][0]  # the third, or one of fewer

WIDTHS = (1280, 768, 320), (1280, 640, 320)  # 640, 320: 1280 at 200 and 400 %
ALL_WIDTHS = (1440, 1280, 768, 640, 390, 320)  # of pages that are looked at in each way
LEAST = 10.95  # pixels: the letters of a live figure
CHECKED = re.compile(r"book/(index|machine|ask_another|0\d_|puzzles/)")
ELSEWHERE = re.compile(
    r"""<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|href)=["'](?:https?:)?//"""
)
UNREACHED = """() => [...document.querySelectorAll("article *")].filter((one) =>
  ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && one.clientWidth &&
  one.scrollWidth > one.clientWidth && one.tabIndex < 0 && !one.closest("[tabindex]")
).map((one) => one.outerHTML.slice(0, 90))"""
UNNAMED = """() => [...document.querySelectorAll("[data-nk-scrolls]")].filter((one) =>
  !one.getAttribute("role") || !one.getAttribute("aria-label")
).map((one) => one.outerHTML.slice(0, 90))"""
# Boxes with letters in them that stand out of the frame, and scroll nowhere.
OUTSIDE = """() =>
  [...document.querySelectorAll(".nk-figure:has(.nk-live)")].flatMap((figure) => {
  const frame = figure.getBoundingClientRect();
  const scrolls = (one) => one && one !== figure &&
    (getComputedStyle(one).overflowX !== "visible" || scrolls(one.parentElement));
  return [...figure.querySelectorAll(".nk-live *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 1 && box.right > frame.right + 1 && !scrolls(one);
  }).map((one) => one.outerHTML.slice(0, 90));
})"""
# Lines of text that the window cuts off, where nothing scrolls to their ends.
CUT = """() => {
  const scrolls = (one) => one && one.tagName !== "ARTICLE" &&
    (["auto", "scroll"].includes(getComputedStyle(one).overflowX)
      || scrolls(one.parentElement));
  const texts = document.querySelectorAll("article :is(p, li, dd, h1, h2, h3, h4)");
  return [...texts].filter((one) => one.getBoundingClientRect().width > 1 &&
    one.getBoundingClientRect().right > innerWidth + 1 && !scrolls(one)
  ).map((one) => one.outerHTML.slice(0, 90));
}"""
WIDER = """
* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important; }
p { margin-bottom: 2em !important; }
"""
# Text that a box cuts off: it neither grows nor scrolls.
CUT_OFF = """() => [...document.querySelectorAll("article *")].filter((one) => {
    const style = getComputedStyle(one);
    const text = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const hides = ["hidden", "clip"].includes(style.overflowY);
    return text && hides && one.clientHeight > 1 &&
        one.scrollHeight > one.clientHeight + 1;
}).map((one) => `${one.localName}.${one.className} ${one.textContent}`.slice(0, 90))"""
STILL = """[...document.querySelectorAll("*")].every((one) => {
  const style = getComputedStyle(one);
  return style.transitionDuration === "0s" && style.animationName === "none";
})"""
WIDER_THAN_THE_WINDOW = """() =>
  [document.documentElement.scrollWidth].filter((width) => width > innerWidth)"""
OVERLAPPING = """() => {
  const all = [...document.querySelectorAll(".attnlib-trace table")];
  return all.filter((a) => all.some((b) => {
    const [one, two] = [a, b].map((table) => table.getBoundingClientRect());
    return a !== b && one.right > two.left && two.right > one.left &&
      one.bottom > two.top && two.bottom > one.top;
  })).map((one) => one.textContent.slice(0, 90));
}"""
# Each lists what is wrong; all are asked at once, and those that found something told.
FITS = {
    "WIDER_THAN_THE_WINDOW": WIDER_THAN_THE_WINDOW,
    "CUT": CUT,
    "OUTSIDE": OUTSIDE,
    "UNREACHED": UNREACHED,
    "UNNAMED": UNNAMED,
    "OVERLAPPING": OVERLAPPING,
    "BROKEN": drawings.BROKEN,
    "OVER": drawings.OVER,
}
WRONG = """Object.fromEntries(Object.entries({%s}).map(([name, one]) => [name, one()])
  .filter(([, found]) => found.length))"""
OPEN = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture(scope="module")
def asked(browser, site):
    """A function that says what a first visit to a page asks for."""
    known = {}

    def of(name):
        if name not in known:
            page = opened(browser, site, name, WIDE)
            page.context.close()
            known[name] = page.asked
        return known[name]

    return of


@pytest.fixture(scope="module", params=real_pages())
def visit(request, browser, site):
    """A page, opened once for all that is looked at on it."""
    page = opened(browser, site, request.param, WIDE)
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    page.got = page.evaluate(
        "performance.getEntriesByType('resource').map((one) => one.name)"
    )
    uncover(page)
    yield page
    page.context.close()


def test_it_loads_without_error_or_other_host_and_names_none(visit):
    assert visit.watch.errors == []
    assert visit.watch.strangers == []
    canonical = re.compile(r'<link rel="canonical"[^>]*>')
    html = canonical.sub("", (HTML / visit.name).read_text(encoding="utf-8"))
    assert ELSEWHERE.findall(html) == []


def test_it_is_light(visit, asked):
    """The first page with nothing kept, then this page with what the first one left."""
    kept = asked(OTHER if visit.name == FIRST else FIRST)
    assert visit.name in visit.asked
    assert sum(map(sent, visit.asked)) <= FIRST_VISIT
    most = max(NEXT_VISIT, EACH_FIGURE * visit.locator("article figure").count())
    assert sum(map(sent, visit.asked - kept)) <= most


def test_nothing_is_fetched_before_the_first_run(visit):
    assert not [url for url in visit.got if re.search(r"\.(mjs|whl|py|wasm)$", url)]


def test_nothing_moves_when_figures_come(visit):
    if visit.name in pages_with_figures():
        assert visit.live or visit.covered  # until one has guessed
    assert visit.shift < SHIFT


def test_reduced_motion_stills_everything(visit):
    assert visit.evaluate(STILL)


def test_presented_every_screen_fits_and_every_paragraph_is_on_one(visit):
    if visit.name in ONE:
        resize(visit, ONE[visit.name])
        visit.locator(".aw-present").click()
        every_screen_fits(visit)


# Controls of one, two and four columns; a drawing beside a table; names to look up.
MUCH = ("book/01_", "book/02_", "book/05_", "book/sources")


def test_wider_text_fits(visit):
    """As a reader may have it (WCAG 1.4.12)."""
    if not visit.name.startswith(MUCH):
        return
    wider = visit.add_style_tag(content=WIDER)
    for width in (1280, 390):
        resize(visit, {"width": width, "height": 844})
        assert visit.evaluate("document.documentElement.scrollWidth") <= width
        assert left(visit, CUT_OFF) == [], width
    assert left(visit, OUTSIDE) == []  # a wider screen has room beside the frame
    wider.evaluate("one => one.remove()")


def test_it_fits_every_width_and_axe_finds_nothing(visit):
    """Folds opened; figures in their frames; what scrolls is reached by keyboard.

    Letters of figures are large enough, and names of their controls whole.
    """
    visit.evaluate(OPEN)
    configure(visit)
    looks = themes(visit.name, real_pages())
    asked = {**FITS, "SMALL": f"() => ({drawings.SMALL})({LEAST})"}
    if not CHECKED.match(visit.name):
        asked.pop("SMALL")
    wrong = WRONG % ",\n".join(f"{name}: {one}" for name, one in asked.items())
    widths = WIDTHS[real_pages().index(visit.name) % 2]
    for width in ALL_WIDTHS if visit.name in WHOLE else widths:
        resize(visit, {"width": width, "height": 800})
        assert left(visit, wrong) == {}, width
        if theme := looks.get(width):
            visit.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            assert violations(visit) == [], width
    if visit.locator(".nk-live svg text:visible").count():
        both = f"({drawings.SHRUNK})('5px'), ({drawings.SMALL})({LEAST})"
        assert visit.evaluate(both)  # at once: a figure may draw itself anew


def one_for_each_set_of_scripts():
    """Pages without figures, no two of which load the same scripts."""
    found = {}
    for name in sorted({*real_pages()} - {*pages_with_figures(), "404.html"}):
        html = (HTML / name).read_text(encoding="utf-8")
        scripts = re.findall(r'<script\b[^>]*\ssrc="([^"?]+)', html)
        found.setdefault(frozenset(one.rpartition("/")[2] for one in scripts), name)
    return [*found.values()]


@pytest.mark.parametrize("name", one_for_each_set_of_scripts())
def test_from_a_folder_it_loads_without_error(open_page, name):
    page = open_page(name, home=HTML.as_uri())
    assert page.watch.clean(), (page.watch.errors, page.watch.strangers)


def test_styles_name_no_other_host():
    styles = {style: style.read_text() for style in HTML.rglob("*.css")}
    assert styles
    other = re.compile(r"url\(['\"]?(https?:)?//")
    assert [style for style, text in styles.items() if other.search(text)] == []
