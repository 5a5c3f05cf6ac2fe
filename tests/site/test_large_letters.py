"""Letters twice the size, text set wider (WCAG 1.4.12): all is there, all fits."""

import pytest
from browser import FLAGS, find_browser
from built_site import PHONE, Watch, uncover

# Controls of one, two and four columns; a drawing beside a table; names to look up.
PAGES = ("01_embeddings", "02_queries_keys_values", "05_weighted_sum", "sources")
# What stands to the right of the frame that it is in, unless a box on the way scrolls.
OUTSIDE = """() => [...document.querySelectorAll(".nk-figure")].flatMap((figure) => {
    const edge = figure.getBoundingClientRect().right;
    const scrolls = (one) => getComputedStyle(one).overflowX !== "visible";
    const held = (one) => one !== figure && (scrolls(one) || held(one.parentElement));
    return [...figure.querySelectorAll(".nk-live *")]
        .filter((one) => one.getBoundingClientRect().right > edge)
        .filter((one) => one.getBoundingClientRect().width && !held(one.parentElement))
        .map((one) => `${one.localName}.${one.className} ${one.textContent}`);
})"""


@pytest.fixture(scope="module")
def large(browser):
    """A second browser, whose reader asked for letters of 32 px in place of 16."""
    flags = [*FLAGS, "--blink-settings=defaultFontSize=32"]
    second = browser.browser_type.launch(executable_path=find_browser(), args=flags)
    yield second
    second.close()


@pytest.mark.parametrize("width", [PHONE["width"], 1280])
def test_twice_the_size_fits(large, site, width):
    page = large.new_page(viewport={"width": width, "height": 844})
    Watch(page, site)
    for name in PAGES:
        page.goto(f"{site}/book/{name}.html")
        uncover(page)
        size = page.evaluate("getComputedStyle(document.documentElement).fontSize")
        assert float(size.removesuffix("px")) >= 32, name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(OUTSIDE) == [], name
    page.context.close()


WIDER = """
* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important; }
p { margin-bottom: 2em !important; }
"""
# Lines of text that a box cuts off: it neither grows nor scrolls.
CUT = """() => [...document.querySelectorAll("article *")].filter((one) => {
    const style = getComputedStyle(one);
    const text = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const hides = ["hidden", "clip"].includes(style.overflowY);
    return text && hides && one.clientHeight > 1 &&
        one.scrollHeight > one.clientHeight + 1;
}).map((one) => `${one.localName}.${one.className} ${one.textContent}`.slice(0, 90))"""


@pytest.mark.parametrize("width", [PHONE["width"], 1280])
def test_wider_text_fits(open_page, width):
    for name in PAGES:
        page = open_page(f"book/{name}.html", viewport={"width": width, "height": 844})
        uncover(page)
        page.add_style_tag(content=WIDER)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(CUT) == [], name
        if width == PHONE["width"]:  # a wider screen has room beside the frame
            assert page.evaluate(OUTSIDE) == [], name
