"""Builds for other builders; formulas, lines of output, files beside pages."""

import copy
import re
from types import SimpleNamespace

import pytest
from books import Book

from sphinx_nokernel.katex import bare_mathml
from sphinx_nokernel.others import joined

CELL = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
  display_name: Python 3
---

# A page

```{code-cell}
import array_api_compat
```
"""


@pytest.mark.slow
@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml"])
def test_pages_link_only_what_is_written(builder, tmp_path):
    book = Book(tmp_path).write("index.md", CELL)
    book.build(
        builder,
        nokernel_wheels=["array-api-compat"],
        nokernel_bundle="book",
        suppress_warnings=["myst-nb.lexer"],  # nothing is executed that would tell it
    )
    assert book.complaints == ""
    page = book.page("index")
    (wheel,) = re.findall(r'data-wheels="([^"]*)"', page)
    assert (book.out / "_static" / "nokernel" / wheel).is_file()
    zips = re.findall(r'href="(downloads/[^"]*)"', page)
    assert len(zips) == (2 if builder == "html" else 0)
    assert all((book.out / link).is_file() for link in zips)


def test_what_python_compiled_here_is_not_published(book):
    book.write("index.md", "# A page\n")
    book.write("extra/nokernel/__pycache__/driver.cpython-311.pyc", "compiled")
    book.write("extra/nokernel/more.txt", "kept")
    book.build(html_static_path=["extra"])
    static = book.out / "_static"
    assert (static / "nokernel" / "driver.py").is_file()
    assert (static / "nokernel" / "more.txt").is_file()
    assert not list(static.rglob("__pycache__"))


FORMULA = (
    "<math><semantics><mrow><mi>{0}</mi></mrow>"
    '<annotation encoding="application/x-tex">{0} &lt; \\TeX</annotation>'
    "</semantics></math>"
)


def test_the_tex_of_a_formula_stands_beside_its_mathml():
    text = f"<p>{FORMULA.format('a')} and {FORMULA.format('b')}</p>"
    page = SimpleNamespace(body=text, context={"body": text})
    bare_mathml(None, page)
    bare = "<math><mrow><mi>{0}</mi></mrow></math>"
    bare += '<span class="nk-tex" hidden>{0} &lt; \\TeX</span>'
    assert page.context["body"] == f"<p>{bare.format('a')} and {bare.format('b')}</p>"


def test_a_transposed_matrix_is_heard_with_a_letter():
    power = "<msup><mi>K</mi><mi>{}</mi></msup>"
    seen = "<span>⊤</span>"
    body = FORMULA.format("a").replace("<mi>a</mi>", power.format("⊤")) + seen
    page = SimpleNamespace(body=body, context={"body": body})
    bare_mathml(None, page)
    assert power.format("T") in page.context["body"]
    assert seen in page.context["body"]


def piece(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def test_pieces_are_joined_as_they_came():
    result = {"output_type": "execute_result", "data": {}}
    outputs = [piece("index 5"), result, piece("12\n\n"), piece("x", "stderr")]
    before = copy.deepcopy(outputs)
    assert joined(outputs) == [piece("index 512\n\n"), result, piece("x", "stderr")]
    assert outputs == before


def test_nothing_stays_nothing():
    assert joined([]) == []
    assert joined(None) == []
