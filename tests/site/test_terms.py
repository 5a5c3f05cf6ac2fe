"""The note on a term: seen on hover and focus, and closed when a reader wants it so."""

import pytest
from built_site import HTML, WIDE, uncover

pytestmark = pytest.mark.pages("book/03_scaling.html", "book/glossary.html")
TERM = "article a.aw-term:visible"
NOTE = """term => getComputedStyle(term, "::after").display === "block" """


@pytest.fixture(scope="module")
def opened(browser, site):
    """A lesson, opened once."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.goto(f"{site}/book/03_scaling.html")
    uncover(page)
    yield page
    context.close()


@pytest.fixture
def page(opened):
    """The lesson with neither pointer nor focus on a term."""
    opened.mouse.move(0, 0)
    opened.evaluate("document.activeElement.blur()")
    return opened


@pytest.fixture(params=[0, -1], ids=["first", "last"])
def term(page, request):
    term = page.locator(TERM).nth(request.param)
    term.scroll_into_view_if_needed()
    assert not term.evaluate(NOTE)
    return term


def test_the_keys_of_a_keyboard_are_no_term():
    told = [path.read_text("utf-8") for path in (HTML / "book").glob("*.html")]
    assert sum("arrow keys" in page for page in told) > 5
    assert not [page for page in told if 'arrow <a class="aw-term"' in page]


def test_note_on_hover_and_on_focus(page, term):
    term.hover()
    assert term.evaluate(NOTE)
    page.mouse.move(0, 0)
    assert not term.evaluate(NOTE)
    page.keyboard.press("Tab")  # so that the browser shows focus
    term.focus()
    assert term.evaluate(NOTE)


def test_pointer_can_go_over_to_the_note(page, term):
    """From the word down into its note, step by step: it stays all the way."""
    box = term.evaluate("one => one.getClientRects()[0]")  # of its first line
    x, y = box["x"] + 5, box["y"] + box["height"] / 2
    for down in range(30):
        page.mouse.move(x, y + down)
        assert term.evaluate(NOTE), f"gone {down} pixels below the word"


def test_escape_closes_the_note_until_one_comes_back(page, term):
    for come in (term.hover, term.focus):
        for again in (False, True):
            page.mouse.move(0, 0)
            page.keyboard.press("Tab")  # away; and so that the browser shows focus
            come()
            assert term.evaluate(NOTE), again
            page.keyboard.press("Escape")
            assert not term.evaluate(NOTE)
