"""The site kept on a device: with the network off all of it opens, and figures live.

Before a release; each time, all that pages name is in the list of what is kept. What
keeping does in itself is tested on a small book, in `tests/sphinx_nokernel`.
"""

import json
import posixpath
import re
from urllib.parse import unquote, urlsplit

import pytest
from books import Host, press_keep
from built_site import HTML, real_pages

LANDING, LESSON = "book/index.html", "book/03_scaling.html"
# What a page names: pictures, scripts, and its style sheets and icons.
NAMED = re.compile(
    r'<(?:img|script|link rel="(?:style|icon))[^>]* (?:src|href)="(?!data:)([^"]+)'
)
MOST = 17  # megabytes, all in all, as they lie on the device
pytestmark = [pytest.mark.long, pytest.mark.pages(LANDING, LESSON)]


@pytest.fixture(scope="module")
def offline(browser):
    """A context in which the site was kept; its host is off."""
    host = Host(HTML)
    context = browser.new_context()
    context.host = host.address
    page = context.new_page()
    page.goto(f"{host.address}/{LANDING}")
    context.said = press_keep(page)
    page.close()
    host.off()
    yield context
    context.close()


@pytest.fixture
def visit(offline):
    """A function that opens a page; it notes what goes wrong there."""
    pages = []

    def open_it(name):
        page = offline.new_page()
        page.wrong = []
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        failed = "requestfailed"  # the worker's own go to a host that is off
        page.on(failed, lambda one: one.frame and page.wrong.append(one.url))
        pages.append(page)
        page.answer = page.goto(f"{offline.host}/{name}")
        return page

    yield open_it
    for page in pages:
        page.close()


@pytest.mark.release
def test_it_says_that_it_is_kept(offline):
    assert offline.said.startswith("It is kept: all pages open without a network.")


def kept():
    first, _ = (HTML / "service-worker.js").read_text("utf-8").split("\n", 1)
    return json.loads(first.partition(" = ")[2].removesuffix(";"))["files"]


def test_every_page_is_kept_with_all_that_it_names():
    files = {*kept()}
    for name in real_pages():
        html = (HTML / name).read_text("utf-8")
        named = {unquote(urlsplit(one).path) for one in NAMED.findall(html)}
        paths = {posixpath.normpath(f"{name}/../{one}") for one in named if one}
        assert {name, *(one.lstrip("/") for one in paths)} <= files, name


@pytest.mark.release
@pytest.mark.parametrize("name", real_pages())
def test_every_page_opens(visit, name):
    page = visit(name)
    assert page.answer.status == 200
    title = page.evaluate("document.title")
    assert title in (HTML / name).read_text("utf-8").replace("&amp;", "&")
    loaded = "[...document.images].every((one) => one.complete && one.naturalWidth)"
    assert page.evaluate(loaded)
    assert page.wrong == []


@pytest.mark.release
def test_search_finds(visit):
    page = visit("search.html?q=softmax")
    page.locator("#search-results li a[href*='04_softmax']").first.wait_for()


@pytest.mark.release
def test_a_wrong_address_gets_the_page_for_it(visit):
    page = visit("book/no_such_page.html")
    assert page.answer.status == 404
    assert page.get_by_role("heading", name="There is no page here").is_visible()


def test_what_it_takes_on_the_device_is_said_and_bounded(open_page):
    files = kept()
    size = sum((HTML / name).stat().st_size for name in files) / 1e6
    assert size < MOST
    button = open_page(LANDING).locator("#nk-keep")
    button.locator("button").wait_for()
    assert f"({size:.0f} MB)" in button.inner_text()
    assert not [name for name in files if "minilm" in name or "downloads" in name]
