"""Cells whose code is hidden: one switch shows all of it, and is remembered."""

import pytest

PAGE = """---
file_format: mystnb
kernelspec:
  name: python3
---

# A page

## A part

```{code-cell}
:tags: [hide-input]

first = 1
```

```{code-cell}
:tags: [hide-cell]

second = 2
```

```{code-cell}
:tags: [hide-cell]
:mystnb:
:  code_prompt_show: The numbers

third = 3
```

```{code-cell}
fourth = 4
```
"""
SWITCH = {"name": "Show all code"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from books import Book

    book = Book(tmp_path_factory.mktemp("hidden"))
    book.write("index.md", PAGE)
    book.build(html_theme="alabaster", nokernel_code_switch=True)
    return book.out


@pytest.fixture
def page(open_folder, folder):
    return open_folder(folder)


def seen(page):
    """What is seen of the cells: their code, and the lines of folds."""
    lines = page.locator(".cell pre, .cell summary").all()
    return [one.inner_text().strip() for one in lines if one.is_visible()]


HIDDEN = ["The numbers", "fourth = 4"]
SHOWN = ["first = 1", "second = 2", *HIDDEN]


def test_one_switch_shows_all_code_and_says_whether_it_does(page):
    switch = page.get_by_role("button", **SWITCH)
    assert page.get_by_text("2 cells are hidden").is_visible()
    assert page.locator("h1 + .nk-code-switch").count() == 1
    for pressed, cells in (("false", HIDDEN), ("true", SHOWN), ("false", HIDDEN)):
        assert switch.get_attribute("aria-pressed") == pressed
        assert seen(page) == cells
        switch.press("Enter")
    assert page.said == []


def test_it_is_remembered(page):
    page.get_by_role("button", **SWITCH).click()
    page.reload()
    assert seen(page) == SHOWN
    assert page.get_by_role("button", **SWITCH).get_attribute("aria-pressed") == "true"
    page.get_by_role("button", **SWITCH).click()
    page.reload()
    assert seen(page) == HIDDEN


def test_a_cell_that_is_shown_runs(page):
    page.get_by_role("button", **SWITCH).click()
    assert page.get_by_role("button", name="Run cell 1").is_visible()


def test_without_javascript_each_has_its_fold(open_folder, folder):
    page = open_folder(folder, java_script_enabled=False)
    source, content = "Show code cell source", "Show code cell content"
    assert seen(page) == [source, content, *HIDDEN]
    page.locator("summary").first.click()
    assert "first = 1" in seen(page)
    assert not page.locator(".nk-code-switch").is_visible()


def test_a_book_that_does_not_ask_has_its_lines(book):
    html = book.write("index.md", PAGE).build()
    assert "nk-code-switch" not in html
    assert "nk-hidden-code" not in html
