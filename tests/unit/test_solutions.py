"""Solutions can be left out of what readers download."""

import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

EXTENSIONS = Path(__file__).resolve().parents[2] / "book" / "_ext"


@pytest.fixture
def solutions(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    import solutions

    yield solutions
    del sys.modules["solutions"]


def test_only_solution_cells_go(solutions):
    tagged = {"metadata": {"tags": ["solution", "no-live"]}}
    cells = [
        new_markdown_cell("task"),
        new_code_cell("starter", metadata={"tags": ["no-live"]}),
        new_code_cell("secret", **tagged),
        new_markdown_cell("quiz"),
    ]
    left = solutions.without_solutions(new_notebook(cells=cells))
    assert [cell.source for cell in left.cells] == ["task", "starter", "quiz"]
    nbformat.validate(left)
