"""Other people's pages in the browser: their cells run, and keep their edits apart.

In Pyodide as npm has it, without NumPy, which no registry has.
"""

import json
import re

import pytest
from books import HOME, PYTHON, OtherBook, file_of, fulfill

DARK = """
body { --color-code-background: #202020; --color-foreground-primary: #cfd0d0;
  --color-background-primary: #131416; --color-foreground-secondary: #9ca0a5;
  --color-brand-content: #5ca5ff; background: #131416; color: #cfd0d0; }
html { color-scheme: dark; }
"""


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other")
    return OtherBook(folder, nokernel_pyodide=PYTHON, nokernel_remember=True)


@pytest.fixture
def context(browser, other):
    context = browser.new_context(viewport={"width": 900, "height": 700})

    def answer(route):
        path = file_of(route.request.url.partition("?")[0], other.out)
        return fulfill(route, path) if path else route.abort()

    context.route("**", answer)
    yield context
    context.close()


@pytest.fixture
def open_page(context):
    pages = []

    def open_it(name):
        pages.append(context.new_page())
        pages[-1].goto(f"{HOME}{name}.html")
        return pages[-1]

    yield open_it
    for page in pages:
        page.close()


def run(page, number=1):
    cell = page.locator(".cell.nk-runs").nth(number - 1)
    cell.get_by_role("button", name="Run ").click()
    ended = cell.locator("xpath=self::*[@data-live != 'running']")
    ended.wait_for(timeout=240_000)
    said = " ".join(cell.locator(".cell_output pre").all_inner_texts())
    return said.strip(), cell.get_by_role("status").inner_text()


def write(page, number, code):
    page.get_by_role("button", name=f"Edit cell {number}").click()
    page.get_by_role("textbox", name=f"code of cell {number};").fill(code)


HIDDEN = "more = hidden + 1"
LATE = f"tries = globals().get('tries', 0) + 1\n{HIDDEN} if tries > 1 else late"


def test_a_cell_builds_on_hidden_ones_and_goes_on_without_a_package(
    open_page, context, other
):
    """What a hidden one ends with is told, and what cannot be had is named.

    All in one Python, which takes seconds to start.
    """
    html = (other.out / "index.html").read_text()
    assert html.count(json.dumps(HIDDEN)) == 1
    html = html.replace(json.dumps(HIDDEN), json.dumps(LATE))
    first = {"body": html, "content_type": "text/html"}
    context.route("**/index.html", lambda route: route.fulfill(**first))
    page = open_page("index")
    _, status = run(page)
    assert status.startswith("Not run: cell that is not shown ended with an error: ")
    assert "NameError" in status
    said, status = run(page)
    assert said.endswith("42")
    assert status == "Done."
    code = "try:\n    import numpy\nexcept ImportError:\n    print('old')"
    write(page, 2, code)
    said, _ = run(page, 2)
    named = r"Not fetched: numpy\. Check the connection, or whether 127.0.0.1:8 has it"
    assert re.search(named, said)
    assert said.endswith("old")


def test_a_file_beside_the_page_is_found_and_forms_are_shown_once_in_the_richest(
    open_page,
):
    page = open_page("deep/page")
    said, _ = run(page)
    assert "'1 2 3\\n'" in said
    _, status = run(page, 2)
    output = page.locator(".cell.nk-runs").nth(1).locator(".cell_output")
    assert status == "Done."
    assert output.locator("em.verdict").all_inner_texts() == ["right"]
    assert output.inner_text().strip() == "right"


def test_an_edit_stays_in_its_cell(open_page):
    page = open_page("index")
    write(page, 2, "mine = 2")
    page.reload()
    page.locator(".live-editor").wait_for()
    assert page.locator(".live-editor").count() == 1
    box = page.get_by_role("textbox", name="code of cell 2;")
    assert box.input_value() == "mine = 2"


def brightness(color):
    red, green, blue = map(int, re.findall(r"\d+", color)[:3])
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def test_in_a_dark_furo_one_can_read_what_one_writes(open_page):
    """furo has its colors on body, and says there which theme it is."""
    page = open_page("index")
    page.add_style_tag(content=DARK)
    page.evaluate("document.body.dataset.theme = 'dark'")
    write(page, 1, "x")
    box, look = page.locator(".live-editor"), "one => getComputedStyle(one)"
    text = box.evaluate(f"{look}.color")
    ground = box.evaluate(f"{look}.backgroundColor")
    assert brightness(text) - brightness(ground) > 0.5
    page.get_by_role("radio").first.check()
    wrong = "one => getComputedStyle(one, '::before').color"
    assert brightness(page.locator(".nk-feedback p").first.evaluate(wrong)) > 0.5


def test_the_editor_is_as_wide_as_its_cell(open_page):
    page = open_page("index")
    write(page, 1, "x")
    beyond = """one => one.getBoundingClientRect().right
        - one.parentNode.getBoundingClientRect().right"""
    assert page.locator(".live-editor").evaluate(beyond) <= 0
