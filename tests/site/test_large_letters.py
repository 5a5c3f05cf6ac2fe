"""Letters twice the size: all is there, all fits."""

import pytest
from browser import ALONE, FLAGS, find_browser
from built_site import PHONE, Watch, left, resize, uncover

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
    flags = [*FLAGS, ALONE, "--blink-settings=defaultFontSize=32"]
    second = browser.browser_type.launch(executable_path=find_browser(), args=flags)
    yield second
    second.close()


WIDTHS = (1280, PHONE["width"])


@pytest.mark.parametrize("name", PAGES)
def test_twice_the_size_fits(large, site, name):
    page = large.new_page()
    Watch(page, site)
    page.goto(f"{site}/book/{name}.html")
    uncover(page)
    size = page.evaluate("getComputedStyle(document.documentElement).fontSize")
    assert float(size.removesuffix("px")) >= 32
    for width in WIDTHS:
        resize(page, {"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert left(page, OUTSIDE) == [], width
    page.close()
