"""Edits and guesses that a browser remembers, in another tab, and when it cannot."""

import json
import re

import pytest
from books import Book
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes

PAGE = """# Page

:::{predict} Which word?
:name: first
- [ ] food
  - Not alive.
- [x] dog
  - Alive.
:::

The answer is dog.

## Code
"""
DENIED = """Object.defineProperty(window, "localStorage",
    { get() { throw new Error("denied"); } });"""
FULL = """Storage.prototype.setItem = () => { throw new DOMException("full",
    "QuotaExceededError"); };"""
KEY = "Object.keys(localStorage).find((key) => key.startsWith('nokernel'))"
NONSENSE = ["{oops", "null", '{"pages": {"index": 3}}']
NONSENSE += [
    '{"pages": {"index": {"guesses": [1], "cells": {"%s": 7}}}}',
    '{"pages": {"index": {"guesses": {"first": "length"}, "cells": "x"}}}',
    '{"pages": {"index": {"guesses": {"first": 9}, "cells": {"%s": {"text": null}}}}}',
]


def build(folder, source="first = 1", **settings):
    book = Book(folder).write("index.ipynb", notebook(source))
    book.build(html_theme="alabaster", **{"nokernel_remember": True, **settings})
    assert book.complaints == ""
    return book.out


def notebook(source):
    cells = [new_markdown_cell(PAGE), new_code_cell(source, id="mine")]
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = new_notebook(cells=cells, metadata={"kernelspec": python})
    return writes(made)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build(tmp_path_factory.mktemp("memory"))


def uncover(page):
    page.evaluate("window.nokernelPredictions.show()")


def write(page, text):
    uncover(page)
    page.get_by_role("button", name=re.compile("^Edit ")).click()
    page.locator("textarea").fill(text)


def editor(page):
    box = page.locator("textarea")
    return box.input_value() if box.count() else None


def status(page):
    return page.locator(".live-status").inner_text()


def guess(page, words):
    page.locator(f".nk-choice:has(> label:text-is('{words}')) input").check()


def guessed(page):
    return page.locator(".nk-predict input:checked").count() == 1


def errors(page):
    return [one for one in page.said if one.startswith("error")]


def test_an_edit_keeps_its_text_until_reset(page):
    write(page, "mine = 2")
    page.reload()
    uncover(page)
    assert (editor(page), status(page)) == ("mine = 2", "Your code from before.")
    page.get_by_role("button", name=re.compile("^Reset ")).click()
    page.reload()
    assert editor(page) is None
    assert "mine" not in page.evaluate(f"localStorage[{KEY}]")


def test_it_is_one_key_with_a_version_for_the_site(page):
    write(page, "mine = 2")
    guess(page, "food")
    keys = page.evaluate("Object.keys(localStorage)")
    assert [re.sub(r"/.*/", "/", key) for key in keys] == ["nokernel-1:/"]
    (kept,) = json.loads(page.evaluate(f"localStorage[{KEY}]"))["pages"].values()
    assert kept["guesses"] == {"first": 0}
    assert kept["cells"]["cell-mine"]["text"] == "mine = 2"


def test_after_ours_has_changed_the_readers_stays_and_is_told(open_folder, tmp_path):
    folder = build(tmp_path, "first = 1")
    page = open_folder(folder)
    write(page, "mine = 2")
    build(tmp_path, "first = 100")
    for _ in range(2):  # also after another letter, until Reset
        page.reload()
        uncover(page)
        assert editor(page).startswith("mine = 2")
        assert "Ours has changed since: Reset shows it." in status(page)
        page.locator("textarea").press("End")
        page.locator("textarea").type("0")
    page.get_by_role("button", name=re.compile("^Reset ")).click()
    assert page.locator(".cell pre").first.inner_text().strip() == "first = 100"
    write(page, "mine = 3")
    page.reload()
    assert status(page) == "Your code from before."


def test_an_edit_that_ours_has_become_is_ours(open_folder, tmp_path):
    page = open_folder(build(tmp_path, "first = 1"))
    write(page, "first = 2")
    build(tmp_path, "first = 2")
    page.reload()
    assert (editor(page), status(page)) == (None, "")


def test_edits_are_kept_only_where_the_book_wants_it(open_folder, tmp_path):
    page = open_folder(build(tmp_path, nokernel_remember=False))
    write(page, "mine = 2")
    guess(page, "dog")
    page.reload()
    assert editor(page) is None
    assert guessed(page)  # as ever
    assert errors(page) == []


@pytest.mark.parametrize("broken", [DENIED, FULL], ids=["denied", "full"])
def test_where_nothing_is_kept_all_works_and_nothing_is_said(
    open_folder, folder, broken
):
    page = open_folder(folder, setup=broken)
    guess(page, "food")
    write(page, "mine = 2")
    assert page.get_by_text("The answer is dog.").is_visible()
    assert page.evaluate("nokernelMemory.keeps()") is False
    kept = page.evaluate("[nokernelMemory.get('guesses'), nokernelMemory.get('cells')]")
    assert kept[0] == {"first": 0}  # while the page is open
    assert kept[1]["cell-mine"]["text"] == "mine = 2"
    assert status(page) == ""
    stacks = []
    page.on("pageerror", lambda error: stacks.append(error.stack))
    page.reload()
    assert editor(page) is None
    assert not guessed(page)
    # Sphinx's own script for marked words is not prepared for it.
    assert [one for one in stacks if "sphinx_highlight.js" not in one] == []


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_in_its_place_is_as_good_as_nothing(page, text):
    write(page, "mine = 1")
    text = text.replace("%s", "cell-mine")
    page.evaluate(f"text => {{ localStorage[{KEY}] = text; }}", text)
    page.reload()
    assert errors(page) == []
    assert not guessed(page)
    assert editor(page) is None
    write(page, "mine = 2")
    guess(page, "dog")
    page.reload()
    assert editor(page) == "mine = 2"
    assert guessed(page)
    assert errors(page) == []


def test_two_tabs_keep_what_each_has_written(page, folder):
    other = page.context.new_page()
    other.goto(page.url)
    other.evaluate(
        """window.heard = new Promise((resolve) =>
          document.addEventListener("nk:memory", () => resolve(true)));
        null;"""
    )
    write(page, "mine = 2")
    assert other.evaluate("window.heard")
    guess(other, "food")
    page.reload()
    assert editor(page) == "mine = 2"
    assert guessed(page)


def test_without_its_script_predictions_still_uncover(open_folder, folder):
    page = open_folder(folder, block="**/memory.js*")
    guess(page, "dog")
    assert page.get_by_text("The answer is dog.").is_visible()


def test_a_page_with_nothing_to_remember_loads_nothing(tmp_path):
    book = Book(tmp_path).write("index.md", "# Page\n\n```python\n1\n```\n")
    html = book.build(nokernel_remember=True)
    assert "memory.js" not in html
    assert "kept-cells.js" not in html
