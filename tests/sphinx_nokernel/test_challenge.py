"""Challenges in a browser: a figure says that one is met, and the page goes on."""

import pytest

PAGE = """# Challenge

## One

```{raw} html
<div id="figure"></div>
```

:::{challenge} Reach the goal to go on
:name: goal
:::

You dragged it.

## Two

:::{challenge} Do the next thing
:::

The second answer.
"""
MEET = """document.querySelector("#figure").dispatchEvent(
    new CustomEvent("nk:met", { bubbles: true }))"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from books import Book

    book = Book(tmp_path_factory.mktemp("challenge"))
    book.write("index.md", PAGE).build(html_theme="alabaster")
    assert book.complaints == ""
    return book.out


@pytest.fixture
def page(open_folder, folder):
    return open_folder(folder)


def test_what_follows_is_covered_until_the_figure_says_so(page):
    assert not page.get_by_text("You dragged it.").is_visible()
    assert page.get_by_text("Reach the goal to go on, or:").is_visible()
    page.evaluate(MEET)
    assert page.get_by_text("You dragged it.").is_visible()
    assert not page.get_by_text("The second answer.").is_visible()
    said = page.locator("#goal [role=status]").inner_text()
    assert said == "The page goes on below."


def test_it_is_remembered_until_one_starts_over(page):
    page.evaluate(MEET)
    page.reload()
    assert page.get_by_text("You dragged it.").is_visible()
    page.get_by_role("button", name="start over").click()
    assert not page.get_by_text("You dragged it.").is_visible()


def test_a_reader_may_ask_to_be_shown(page):
    page.get_by_role("button", name="Show me").first.press("Enter")
    assert page.get_by_text("You dragged it.").is_visible()
    assert not page.get_by_text("The second answer.").is_visible()


def test_without_javascript_all_is_open(open_folder, folder):
    page = open_folder(folder, java_script_enabled=False)
    assert page.get_by_text("You dragged it.").is_visible()
    assert not page.get_by_text("Reach the goal").is_visible()


def test_a_challenge_that_covers_nothing_is_named(book):
    book.write("index.md", "# B\n\n:::{challenge} Reach it\n:::\n").build()
    assert "'Reach it' covers nothing" in book.complaints


def test_elsewhere_it_leaves_no_trace(book):
    book.write("index.md", PAGE).build(builder="text")
    text = (book.out / "index.txt").read_text(encoding="utf-8")
    assert "You dragged it." in text
    assert "Reach the goal" not in text
