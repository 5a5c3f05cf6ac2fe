"""The copies that leave the house: no mark of MyST in any, and the code as it was."""

import re
from pathlib import Path

import export
import find_solutions
import nbformat
import pytest

from sphinx_nokernel.export import plain_notebook
from sphinx_nokernel.solutions import without_solutions

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
SOLUTIONS = find_solutions.secrets()
COPIES = {str(place): text for place, text in export.copies()}
IN_THE_BOOK = [BOOK / name for name in COPIES if (BOOK / name).exists()]
MARK = re.compile(
    r":::|(?<!\$)\{[A-Za-z][\w:.-]*\}`|^`{3,}\{|^\(.*\)=$|\]\{[.#]", re.MULTILINE
)
# An example of such marks, in a fence of its own.
EXAMPLE = re.compile(r"^(`{3,})(?!\{)[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)


def cells(text, kind):
    notebook = nbformat.reads(text, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


@pytest.mark.parametrize("name", COPIES)
def test_no_mark_is_left(name):
    for cell in cells(COPIES[name], "markdown"):
        assert MARK.findall(EXAMPLE.sub("", cell.source)) == [], cell.id
        assert cell.source.count("<details") == cell.source.count("</details>")


@pytest.mark.parametrize("path", IN_THE_BOOK, ids=lambda p: p.stem)
def test_code_is_as_it_was_but_for_solutions(path):
    original = cells(path.read_text(encoding="utf-8"), "code")
    kept = [c for c in original if "solution" not in c.metadata.get("tags", [])]
    copied = cells(COPIES[str(path.relative_to(BOOK))], "code")
    assert [(c.id, c.source) for c in copied] == [(c.id, c.source) for c in kept]


@pytest.mark.parametrize("name", COPIES)
def test_links_lead_to_copies(name):
    text = "\n".join(cell.source for cell in cells(COPIES[name], "markdown"))
    targets = re.findall(r"\]\((?!https?:)([^)\s]+)\)", text)
    places = {str((BOOK / name).parent.joinpath(x).resolve()) for x in targets}
    assert places <= {str(BOOK / copy) for copy in COPIES}


def test_there_are_links_to_look_at():
    """The copy of the first page leads to every lesson of the book."""
    text = "\n".join(cell.source for cell in cells(COPIES["index.ipynb"], "markdown"))
    found = set(re.findall(r"\]\((?!https?:)([^)\s]+\.ipynb)\)", text))
    assert found >= {name for name in COPIES if name[0].isdigit()}
    assert found <= set(COPIES)


@pytest.mark.pages("book/03_scaling.html")
def test_claims_are_read_with_post_and_verdict():
    text = " ".join(c.source for c in cells(COPIES["03_scaling.ipynb"], "markdown"))
    assert "(post 2: holds)" in text


@pytest.mark.pages("book/01_embeddings.html", "book/02_queries_keys_values.html")
def test_a_readers_own_work_is_kept(tmp_path, capsys):
    export.write_copies(tmp_path)
    mine, other = (
        tmp_path / "01_embeddings.ipynb",
        tmp_path / "02_queries_keys_values.ipynb",
    )
    mine.write_text("mine")
    text = other.read_text(encoding="utf-8")
    notes = tmp_path / ".copies.json"
    notes.write_text(notes.read_text().replace("start.ipynb", "gone.ipynb"))
    export.write_copies(tmp_path)
    assert mine.read_text() == "mine"
    assert other.read_text(encoding="utf-8") == text
    assert "01_embeddings.ipynb: kept" in capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(BOOK.rglob("*.ipynb")), ids=lambda p: p.stem)
def test_left_out_a_solution_leaves_no_line(path):
    """Neither in the copy nor in the source that the site is built from and offers."""
    source = without_solutions(path.read_text(encoding="utf-8"), ".ipynb")
    reader = export.reader_of()
    reader.settings["nokernel_solutions"], reader.folder = False, BOOK
    for text in (source, plain_notebook(path, reader)):
        kept = "\n".join(cell.source for cell in nbformat.reads(text, 4).cells)
        assert find_solutions.hits_in(kept, *SOLUTIONS) == set()
        assert not re.search(r"\b(a|one|our) solution\b", kept, re.IGNORECASE)
