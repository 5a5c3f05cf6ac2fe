"""With `nokernel_solutions = False` no line of a solution is published anywhere."""

import zipfile

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from sphinx_nokernel.solutions import without_solutions

pytestmark = pytest.mark.slow

INTRO = "Text before.\n\n:::{solution-intro}\nintroducesblock\n:::\n\nText after."
CELLS = [
    new_markdown_cell("# Page\n\nThe task."),
    new_code_cell("starter = 1", id="starter", metadata={"tags": ["no-live"]}),
    new_markdown_cell("introducescell", metadata={"tags": ["solution-intro"]}),
    new_code_cell(
        "secretcode = 12345 * 6\nprint(secretcode)",
        id="secret",
        metadata={"tags": ["solution", "no-live"]},
    ),
    new_markdown_cell("secretwords", metadata={"tags": ["solution"]}),
    new_markdown_cell(INTRO),
    new_code_cell("starter + 1", id="last"),
]
TEXT = f"""---
orphan: true
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---
# Text

{INTRO}

```{{code-cell}} python3
:tags: [solution]

secretcell = 7 * 8
```

```{{code-cell}} python3
kept = 2
```
"""
# What is only in solutions and their introductions; 74070 is what the solution prints.
SECRETS = ("secret", "introduces", "74070")


@pytest.fixture
def exercises(book):
    """A book with solutions, in a notebook and in a text."""
    notebook = new_notebook(cells=CELLS)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    book.write("index.ipynb", nbformat.writes(notebook))
    book.write("text.md", TEXT)
    return book


def build(book, solutions):
    return book.build(
        nb_execution_mode="cache",
        nb_execution_cache_path=str(book.folder / "cache"),
        nokernel_solutions=solutions,
        nokernel_bundle="exercises",
        nokernel_bundle_files=["*.ipynb", "*.md"],
    )


def published(book):
    """Yield all that the site holds, zips opened: where it is, and its bytes."""
    for path in book.out.rglob("*"):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield f"{path.name}/{name}", archive.read(name)
        elif path.is_file():
            yield path.relative_to(book.out).as_posix(), path.read_bytes()


def leaks(book):
    return {
        (place, secret)
        for place, data in published(book)
        for secret in SECRETS
        if secret.encode() in data.lower()
    }


def test_nothing_of_a_solution_is_published_also_over_an_earlier_build(exercises):
    html = build(exercises, solutions=True)
    assert html.count('<details class="nk-solution">') == 1
    assert html.count('<details class="admonition nk-solution">') == 1
    assert {
        "index.html",
        "searchindex.js",
        "notebooks.zip/exercises-notebooks/text.ipynb",
    } <= {place for place, _ in leaks(exercises)}
    html = build(exercises, solutions=False)
    assert exercises.complaints == ""
    assert leaks(exercises) == set()
    for kept in ("The task.", "Text before.", "Text after.", "starter"):
        assert kept in html
    assert 'id="cell-last"' in html
    assert "kept" in exercises.page("text")


def test_the_rest_of_a_notebook_stays_as_it_is():
    left = nbformat.reads(
        without_solutions(nbformat.writes(new_notebook(cells=CELLS)), ".ipynb"), 4
    )
    nbformat.validate(left)
    assert [cell.id for cell in left.cells if cell.cell_type == "code"] == [
        "starter",
        "last",
    ]
    assert left.cells[-2].source == "Text before.\n\n\nText after."


@pytest.mark.parametrize(
    "text",
    [
        "```python\n:::{solution-intro}\nshown as an example\n:::\n```",
        "````{note}\n```{code-cell}\n:tags: [solution-like]\nx\n```\n````",
    ],
)
def test_what_is_no_solution_stays(text):
    assert without_solutions(text, ".md") == text


def test_a_solution_that_is_never_closed_goes_to_the_end():
    text = "Before.\n\n:::{solution-intro}\nHow."
    assert without_solutions(text, ".md") == "Before.\n"


@pytest.mark.parametrize(
    "options",
    [
        ":tags: [no-live, solution]",
        ":tags: solution",
        ":tags: no-live,solution",
        "---\ntags:\n  - solution\n---",
    ],
)
def test_a_solution_is_found_however_its_tags_are_written(options):
    text = f"Before.\n\n```{{code-cell}} python3\n{options}\nx = 1\n```\n\nAfter."
    assert without_solutions(text, ".md") == "Before.\n\n\nAfter."


def test_a_solution_in_a_list_or_a_quote_goes():
    listed = "- one\n\n  :::{solution-intro}\n  How.\n  :::"
    quoted = "> :::{solution-intro}\n> How.\n> :::"
    assert "How" not in without_solutions(f"{listed}\n\n{quoted}", ".md")


def test_a_solution_inside_of_another_block_goes():
    text = "::::{note}\nBefore.\n:::{solution-intro}\nHow.\n:::\n::::"
    assert without_solutions(text, ".md") == "::::{note}\nBefore.\n::::"
