"""Stored notebooks are what the build printed, have what nbval needs, and no more."""

import os
from pathlib import Path

import export
import nbformat
import notebooks
import pytest
from listed import listed

from sphinx_nokernel.pages import titled

BOOK = Path(__file__).resolve().parents[2] / "book"
PATHS = sorted(BOOK.rglob("*.ipynb"))
LISTED = {BOOK.parent / f"{name}.ipynb" for name in listed()}
EXECUTED = BOOK.parent / "_build" / "jupyter_execute"
# Where nothing is built, that is said once.
BUILT = [path for path in PATHS if path in LISTED][: None if EXECUTED.exists() else 1]


@pytest.fixture(params=PATHS, ids=[path.stem for path in PATHS])
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_stored_form_is_the_normal_form(path, notebook):
    """With a count in each cell: nbval passes one without, and compares nothing."""
    stored = path.read_text(encoding="utf-8")
    assert stored == notebooks.written(notebooks.normalize(notebook))


def test_outputs_are_text_without_addresses(notebook):
    for cell in code_cells(notebook):
        for output in cell.outputs:
            assert output.output_type in ("stream", "execute_result", "display_data")
            text = output.get("text") or output.data["text/plain"]
            assert " at 0x" not in text, cell.id
            assert output.get("name") != "stderr", cell.id


def test_cell_ids_are_names(notebook):
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    hint = "name them: tools/notebooks.py --name OLD=NEW NOTEBOOK"
    assert notebooks.unnamed(notebook) == [], hint


def test_a_cell_of_jupyterlab_gets_a_name(tmp_path):
    path = tmp_path / "new.ipynb"
    cells = [nbformat.v4.new_markdown_cell("# New", id="8f3c2a1b"), *MORE]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assert notebooks.unnamed(nbformat.read(path, 4)) == [("8f3c2a1b", "# New")]
    for wrong in ("8f3c2a1b=two-words", "nothing=title", "8f3c2a1b=A b"):
        with pytest.raises(SystemExit, match=r"Without a name: 8f3c2a1b \(# New\)"):
            notebooks.main(["--name", wrong, str(path)])
    assert notebooks.main(["--name", "8f3c2a1b=title", str(path)]) == 0
    assert [cell.id for cell in nbformat.read(path, 4).cells] == ["title", "two-words"]


MORE = [nbformat.v4.new_code_cell("1 + 1", id="two-words")]


def test_at_most_one_cell_is_not_compared(notebook):
    tags = [cell.metadata.get("tags", []) for cell in code_cells(notebook)]
    assert sum("nbval-ignore-output" in tag for tag in tags) <= 1


def test_cells_are_short(notebook):
    for cell in code_cells(notebook):
        assert len(cell.source.splitlines()) <= 15, cell.id


@pytest.mark.parametrize("path", BUILT, ids=[path.stem for path in BUILT])
def test_build_made_what_is_stored(path):
    """The book's own execution, normalized, is the stored notebook to the letter.

    Of a book without solutions, what its other code cells printed is compared.
    """
    executed = EXECUTED / path.relative_to(BOOK.parent)
    assert executed.exists(), "The book is not built: run `make book`"
    built = notebooks.normalize(nbformat.read(executed, as_version=4))
    if os.environ.get("SOLUTIONS") != "0":
        text = path.read_text("utf-8")
        title = export.settings()["project"]
        is_first = path == BOOK / "index.ipynb"  # which the book's title heads
        assert notebooks.written(built) == (titled(text, title) if is_first else text)
        return
    stored = nbformat.read(path, as_version=4)
    assert printed(built) == printed(stored, leave_out="solution")


def printed(notebook, leave_out=None):
    """The source of each code cell, and what it printed, by the cell's name."""
    return {
        cell.id: (cell.source, [o.get("text") or o.data for o in cell.outputs])
        for cell in code_cells(notebook)
        if leave_out not in cell.metadata.get("tags", [])
    }
