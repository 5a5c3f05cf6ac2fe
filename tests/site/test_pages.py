"""Every page of the site: no errors, no other hosts, accessible, fits any screen."""

import re

import pytest
from built_site import HTML, Watch, axe, left, real_pages, resize, uncover

pytestmark = pytest.mark.long


WIDTHS = (1440, 1280, 768, 390, 320)
# Where axe looks at all it knows: with the side bar, and on a phone in the dark theme.
# What follows the width in between is looked at by the expressions below.
THEMES = {1280: "light", 320: "dark"}
# Contrast is looked at where letters are; in a block of code, once for all words that
# look alike: at the longest, as axe does not judge one letter alone or punctuation.
CONTRAST = {
    "noHtml": True,
    "rules": [{"id": "color-contrast", "selector": ":not([data-seen])"}],
}
MARK_SEEN = """() => {
  const text = (one) =>
    [...one.childNodes].map((n) => (n.nodeType === 3 ? n.data : "")).join("").trim();
  const judged = (one) =>
    axe.commons.text.removeUnicode(text(one), { punctuations: true }) ? text(one) : "";
  const paint = ["color", "background", "fontSize", "fontWeight", "textShadow",
    "opacity", "filter", "display", "visibility"];
  for (const one of document.querySelectorAll("body *"))
    one.toggleAttribute("data-seen",
      !text(one) && !one.matches("input, select, textarea"));
  for (const code of document.querySelectorAll("pre")) {
    const longest = new Map();
    for (const one of code.querySelectorAll(":scope > span:not([data-seen])")) {
      const style = getComputedStyle(one);
      const look = [one.className, ...paint.map((name) => style[name])].join();
      const other = longest.get(look) ?? one;
      const longer = judged(one).length > judged(other).length ? one : other;
      longest.set(look, longer);
      if (one !== other) (longer === one ? other : one).dataset.seen = "";
    }
  }
}"""
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
STILL = """[...document.querySelectorAll("*")].every((one) => {
  const style = getComputedStyle(one);
  return style.transitionDuration === "0s" && style.animationName === "none";
})"""
APART = """[...document.querySelectorAll(".attnlib-trace table")].every((a, i, all) =>
  all.every((b) => {
  const [one, two] = [a, b].map((table) => table.getBoundingClientRect());
  return a === b || one.right <= two.left || two.right <= one.left ||
    one.bottom <= two.top || two.bottom <= one.top;
}))"""
OPEN = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture(scope="module", params=sorted({*real_pages()} - {"404.html"}))
def visit(request, browser):
    """A page, opened from its folder, once for all that is looked at on it."""
    context = browser.new_context(reduced_motion="reduce", color_scheme="light")
    page = context.new_page()
    page.watch, page.name = Watch(page, HTML.as_uri()), request.param
    page.goto((HTML / request.param).as_uri())
    page.wait_for_load_state("load")
    uncover(page)
    yield page
    context.close()


def violations(page):
    """What axe finds: of WCAG, however minor, and of its own best practices."""
    page.evaluate(MARK_SEEN)
    options = {"preload": False, "resultTypes": ["violations"]}
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [(one["id"], one["nodes"][0]["target"]) for one in found]


def test_there_are_pages():
    assert len(real_pages()) >= 3


def test_the_first_address_leads_to_the_landing_page(open_page):
    page = open_page("index.html")
    page.wait_for_url("**/book/index.html")


def test_it_loads_without_error_or_other_host_and_names_none(visit):
    assert visit.watch.errors == []
    assert visit.watch.strangers == []
    canonical = re.compile(r'<link rel="canonical"[^>]*>')
    html = canonical.sub("", (HTML / visit.name).read_text(encoding="utf-8"))
    assert ELSEWHERE.findall(html) == []


def test_nothing_is_fetched_before_the_first_run(visit):
    got = visit.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    assert not [url for url in got if re.search(r"\.(mjs|whl|py|wasm)$", url)]


def test_reduced_motion_stills_everything(visit):
    assert visit.evaluate(STILL)


def test_it_fits_every_width_and_axe_finds_nothing(visit):
    """Folds opened; figures in their frames; what scrolls is reached by keyboard."""
    visit.evaluate(OPEN)
    visit.evaluate(axe())
    visit.evaluate("spec => axe.configure(spec)", CONTRAST)
    for width in WIDTHS:
        resize(visit, {"width": width, "height": 800})
        assert visit.evaluate("document.documentElement.scrollWidth") <= width, width
        assert left(visit, CUT) == [], width
        assert left(visit, OUTSIDE) == [], width
        assert left(visit, UNREACHED) == [], width
        assert left(visit, UNNAMED) == [], width
        assert visit.evaluate(APART), width
        if theme := THEMES.get(width):
            visit.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            assert violations(visit) == [], width


def test_styles_name_no_other_host():
    styles = {style: style.read_text() for style in HTML.rglob("*.css")}
    assert styles
    other = re.compile(r"url\(['\"]?(https?:)?//")
    assert [style for style, text in styles.items() if other.search(text)] == []
