"""Code cells in other people's books: which run, their names, and what they need."""

import re

import pytest
from books import Book

pytestmark = pytest.mark.slow

HIDDEN = r'<script type="application/vnd.nokernel.cell\+json">(.*?)</script>'
CELL = r'<div class="cell[^"]*nk-runs[^"]*" id="cell-([^"]*)"'
MARKDOWN = """---
file_format: mystnb
kernelspec:
  name: {kernel}
{more}---
# Page

```{{code-cell}}
:tags: [{tags}]
first = 1
```

```{{code-cell}}
first + 1
```
"""


def page(book, kernel="python3", more="", tags="", **settings):
    book.write("index.md", MARKDOWN.format(kernel=kernel, more=more, tags=tags))
    return book.build(suppress_warnings=["myst-nb.lexer"], **settings)


def test_a_notebook_without_ids_builds_and_its_cell_has_a_name(other):
    assert "print" in other.page("old")
    (name,) = re.findall(CELL, other.page("old"))
    assert re.fullmatch("[0-9a-f]{10}", name)


def test_cells_in_markdown_have_names_of_their_own(other):
    names = re.findall(CELL, other.page("index"))
    assert len(names) == 3
    assert names[2] == f"{names[1]}-2"  # the same words, in the cell after it
    assert "" not in names


def test_names_stay_when_cells_move(book):
    page(book)
    before = re.findall(CELL, book.page("index"))
    text = MARKDOWN.format(kernel="python3", more="", tags="")
    book.write("index.md", text.replace("# Page", "# Page\n\n```{code-cell}\n0\n```"))
    book.build(suppress_warnings=["myst-nb.lexer"])
    assert re.findall(CELL, book.page("index"))[1:] == before


def test_cells_that_are_not_shown_go_with_those_that_need_them(other):
    html = other.page("index")
    assert re.findall(HIDDEN, html) == ['"hidden = 40"', '"more = hidden + 1"']
    assert html.index("more = hidden + 1") < html.index("nk-runs")


def test_a_hidden_cell_cannot_end_its_element(book):
    book.write(
        "index.md", MARKDOWN.format(kernel="python3", more="", tags="remove-cell")
    )
    text = (book.source / "index.md").read_text()
    book.write("index.md", text.replace("first = 1", "first = '</script>'"))
    html = book.build(suppress_warnings=["myst-nb.lexer"])
    assert re.findall(HIDDEN, html) == [r'''"first = '<\/script>'"''']


def test_cells_in_another_language_get_no_run_and_the_log_says_so(other):
    html = other.page("julia")
    assert "live-code" not in html
    assert "nk-runs" not in html
    assert "julia: its cells are for julia-1.10; they get no Run" in other.said


KERNELS = {"python3": True, "conda-env-book-py": True, "xpython": True}
KERNELS |= dict.fromkeys(("ir", "bash", "octave", "my-course"), False)


def test_cells_run_where_the_kernel_is_known_to_be_python(book):
    for kernel in KERNELS:
        text = MARKDOWN.format(kernel=kernel, more="orphan: true\n", tags="")
        book.write(f"{kernel}.md", text)
    book.write("index.md", "# Book\n").build(suppress_warnings=["myst-nb.lexer"])
    assert {one: "live-code.js" in book.page(one) for one in KERNELS} == KERNELS


ASKED = {  # by the setting of a book: a page's own, a tag, and how many cells run
    True: [("", "", 2), ("", "no-live", 1), ("false", "", 0), ("tagged", "live", 1)],
    False: [("", "live", 0), ("true", "", 2)],
    "tagged": [("", "live", 1), ("", "", 0), ("true", "", 2)],
}


@pytest.mark.parametrize("setting", ASKED)
def test_a_book_a_page_or_a_cell_may_ask_for_buttons(book, setting):
    for i, (own, tag, _) in enumerate(ASKED[setting]):
        more = f"nokernel:\n  live_code: {own}\n" if own else ""
        more += "orphan: true\n"
        text = MARKDOWN.format(kernel="python3", more=more, tags=tag)
        book.write(f"page-{i}.md", text)
    book.write("index.md", "# Book\n")
    book.build(suppress_warnings=["myst-nb.lexer"], nokernel_live_code=setting)
    assert book.complaints == ""
    for i, (_, _, running) in enumerate(ASKED[setting]):
        html = book.page(f"page-{i}")
        assert len(re.findall(CELL, html)) == running
        assert ("live-code.js" in html) == bool(running)


def test_a_cell_without_buttons_still_runs_for_those_with(book):
    text = MARKDOWN.format(kernel="python3", more="", tags="")
    book.write("index.md", text.replace("```{code-cell}\nfirst + 1", LIVE))
    html = book.build(nokernel_live_code="tagged", suppress_warnings=["myst-nb.lexer"])
    assert re.findall(HIDDEN, html) == ['"first = 1"']


LIVE = "```{code-cell}\n:tags: [live]\nfirst + 1"


@pytest.mark.parametrize("more", ["nokernel:\n  live_code: yess\n"])
def test_a_value_that_is_none_is_named(book, more):
    with pytest.raises(Exception, match=r"index: nokernel.live_code must be .*'yess'"):
        page(book, more=more)


def test_a_setting_that_is_none_is_named(book):
    with pytest.raises(Exception, match=r"nokernel_live_code must be one of .*'some'"):
        page(book, nokernel_live_code="some")


def test_a_page_that_is_no_notebook_stays_as_it_is(tmp_path):
    book = Book(tmp_path).write("index.md", "# Page\n\n```python\n1\n```\n")
    assert "nk-runs" not in book.build()
