"""Cells that cannot run in the page: each for one of a few reasons."""

import re
from pathlib import Path

import nbformat
import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
LESSONS = sorted(BOOK.glob("[0-9]*.ipynb"))
SOURCES = BOOK / "sources.ipynb"
# What a cell must do for one of these reasons to hold.
REASONS = {
    "a live figure": r"\.panel\(|\bcards\.\w+\(",
    "a picture: Matplotlib would be fetched": r"\bstill\.\w+\(",
    "SciPy": r"\bscipy\b",
    "another array library": r"\b(torch|jax|cupy|array_api_strict)\b",
    "timing": r"\b(perf_counter|timeit|process_time)\b",
}


def no_live(path):
    notebook = nbformat.read(path, as_version=4)
    return [c for c in notebook.cells if "no-live" in c.metadata.get("tags", [])]


def reasons(path):
    """Each cell that is tagged, with why: itself, or a name that such a cell made."""
    found, made = {}, set()
    for cell in no_live(path):
        why = [name for name, sign in REASONS.items() if re.search(sign, cell.source)]
        if not why and made & set(re.findall(r"\b\w+\b", cell.source)):
            why = ["reads such a cell"]
        made |= set(
            re.findall(
                r"^\w+(?=(?:, \w+)* = )|(?<= as )\w+$", cell.source, re.MULTILINE
            )
        )
        found[cell.id] = why
    return found


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_each_has_a_reason(path):
    assert [cell for cell, why in reasons(path).items() if not why] == []


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_they_are_few(path):
    """Beside figures and what reads them, no more than three cells a lesson."""
    of_figures = {"a live figure", "reads such a cell"}
    others = [cell for cell, why in reasons(path).items() if not of_figures & set(why)]
    assert len(others) <= 3


def test_the_sources_page_runs_in_a_notebook_only():
    """It reads the checks and the claims from the book's own files."""
    notebook = nbformat.read(SOURCES, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert no_live(SOURCES) == code
    assert "claims" in code[0].source
