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
MARK = re.compile(
    r":::|(?<!\$)\{[A-Za-z][\w:.-]*\}`|^`{3,}\{|^\(.*\)=$|\]\{[.#]", re.MULTILINE
)
# An example of such marks, in a fence of its own.
EXAMPLE = re.compile(r"^(`{3,})(?!\{)[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def copies(plain_copies):
    """The text of each copy, by its name."""
    return {str(place): text for place, text in plain_copies}


def cells(text, kind):
    notebook = nbformat.reads(text, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def test_no_mark_is_left(copies):
    for name, text in copies.items():
        for cell in cells(text, "markdown"):
            where = (name, cell.id)
            assert MARK.findall(EXAMPLE.sub("", cell.source)) == [], where
            folds = cell.source.count("<details"), cell.source.count("</details>")
            assert folds[0] == folds[1], where


def test_code_is_as_it_was_but_for_solutions(copies):
    for name in (name for name in copies if (BOOK / name).exists()):
        original = cells((BOOK / name).read_text(encoding="utf-8"), "code")
        kept = [c for c in original if "solution" not in c.metadata.get("tags", [])]
        copied = [(c.id, c.source) for c in cells(copies[name], "code")]
        assert copied == [(c.id, c.source) for c in kept], name


def test_links_lead_to_copies(copies):
    """That of the first page leads to every lesson of the book."""
    there, first = {str(BOOK / copy) for copy in copies}, set()
    for name, text in copies.items():
        words = "\n".join(cell.source for cell in cells(text, "markdown"))
        targets = re.findall(r"\]\((?!https?:)([^)\s]+)\)", words)
        places = {str((BOOK / name).parent.joinpath(x).resolve()) for x in targets}
        assert places <= there, name
        first |= places if name == "index.ipynb" else set()
    assert first >= {str(BOOK / name) for name in copies if name[0].isdigit()}


@pytest.mark.pages("book/03_scaling.html")
def test_claims_are_read_with_post_and_verdict(copies):
    text = " ".join(c.source for c in cells(copies["03_scaling.ipynb"], "markdown"))
    assert "(post 2: holds)" in text


@pytest.mark.pages("book/01_embeddings.html", "book/02_queries_keys_values.html")
def test_a_readers_own_work_is_kept(tmp_path, capsys, copies, monkeypatch):
    written = [(Path(name), text) for name, text in copies.items()]
    monkeypatch.setattr(export, "copies", lambda: written)
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


def test_left_out_a_solution_leaves_no_line():
    """Neither in the copy nor in the source that the site is built from and offers."""
    solutions, reader = find_solutions.secrets(), export.reader_of()
    reader.settings["nokernel_solutions"], reader.folder = False, BOOK
    for path in BOOK.rglob("*.ipynb"):
        source = without_solutions(path.read_text(encoding="utf-8"), ".ipynb")
        for text in (source, plain_notebook(path, reader)):
            kept = "\n".join(cell.source for cell in nbformat.reads(text, 4).cells)
            assert find_solutions.hits_in(kept, *solutions) == set(), path.stem
            assert not re.search(r"\b(a|one|our) solution\b", kept, re.IGNORECASE)
