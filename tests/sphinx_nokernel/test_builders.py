"""What the builders that write a site serve, and what only the first of them does."""

import re

import pytest
from books import Book

pytestmark = pytest.mark.slow

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
