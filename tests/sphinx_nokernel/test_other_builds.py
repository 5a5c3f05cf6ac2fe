"""Around the pages of other people's books: folders, buttons, folds, addresses."""

import re

import pytest
from books import Book, OtherBook

pytestmark = pytest.mark.slow

THEBE = {
    "extensions": ["myst_nb", "sphinx_thebe", "sphinx_nokernel"],
    "html_theme": "basic",
}
LAUNCH = {
    "repository_url": "https://github.com/a/b",
    "launch_buttons": {"thebe": True},
}
CELLS = """---
file_format: mystnb
kernelspec:
  name: python3
---
# Page

```{code-cell}
1 + 1
```
"""


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return OtherBook(tmp_path_factory.mktemp("other"), nokernel_pyodide="python/")


def build(book, **settings):
    book.write("index.md", CELLS)
    return book.build(suppress_warnings=["myst-nb.lexer"], **settings)


# ── Nothing is deleted that the build did not write ──

OWN = ["downloads/my.zip", "_images/photo.png", "_sources/notes.txt", "_downloads/a/b"]


@pytest.mark.parametrize("solutions", [True, False])
def test_what_lay_in_the_folder_stays(book, solutions):
    for name in OWN:
        path = book.out / name
        path.parent.mkdir(parents=True)
        path.write_text("mine")
    build(book, nokernel_bundle="book")
    build(book, nokernel_bundle="book", nokernel_solutions=solutions)
    build(book, nokernel_solutions=not solutions)
    assert [(book.out / name).read_text() for name in OWN] == ["mine"] * len(OWN)


def test_an_earlier_build_that_nobody_noted_is_named(book):
    build(book, extensions=["myst_nb"])
    build(book, nokernel_solutions=False)
    assert "holds an earlier build, of which nothing is known here" in book.said


# ── Another extension's buttons ──


def thebe(book, text=CELLS, **settings):
    book.write("index.md", text)
    return book.build(**{**THEBE, "suppress_warnings": ["myst-nb.lexer"], **settings})


@pytest.mark.parametrize(
    ("button", "settings"),
    [
        ("```{thebe-button} Go\n```\n", {}),
        ("", {"thebe_config": {"repository_url": "https://github.com/a/b"}}),
        ("", {"html_theme_options": LAUNCH}),
    ],
)
def test_thebe_stays_where_it_is_used_and_has_the_cells(book, button, settings):
    if "html_theme_options" in settings:
        settings = {**settings, "html_theme": "sphinx_book_theme"}
    html = thebe(book, CELLS + button, **settings)
    assert "THEBE_JS_URL" in html
    assert "live-code.js" not in html
    assert "sphinx-thebe is used here: it keeps the cells" in book.said


def test_thebe_that_nobody_uses_asks_no_other_host(book):
    html = thebe(book)
    assert "THEBE_JS_URL" not in html
    assert "live-code.js" in html


def test_a_book_with_nbsphinx_is_told_what_it_gets(book):
    book.write("nbsphinx.py", "def setup(app):\n    return {}\n")
    book.write("index.rst", "Page\n====\n")
    import sys

    sys.path.insert(0, str(book.source))
    try:
        book.build(extensions=["nbsphinx", "sphinx_nokernel"])
    finally:
        sys.path.remove(str(book.source))
        sys.modules.pop("nbsphinx")
    assert "nbsphinx reads the notebooks here" in book.said


# ── Folds and addresses ──


def test_a_fold_that_asks_for_it_is_open(other):
    folds = re.findall(r"<details[^>]*admonition[^>]*>", other.page("index"))
    assert ["open" in fold for fold in folds] == [True, False]
    assert "toggle-shown" not in "".join(folds)


@pytest.mark.parametrize(
    ("page", "seen"), [("index", "python/"), ("deep/page", "../python/")]
)
def test_a_relative_address_is_below_the_sites_root(other, page, seen):
    assert f'data-pyodide="{seen}"' in other.page(page)


@pytest.mark.parametrize("address", ["https://example.org/p/", "/python/"])
def test_any_other_address_stays_as_it_is(tmp_path, address):
    html = build(Book(tmp_path), nokernel_pyodide=address)
    assert f'data-pyodide="{address}"' in html
