"""The copies for Colab: a first cell that installs there, and nothing elsewhere."""

import sys
from pathlib import Path
from types import ModuleType

import colab
import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

BOOK = Path(__file__).resolve().parents[2] / "book"
WHERE = ("someone/attention", "0123abc")


@pytest.fixture
def done(monkeypatch):
    """A shell that runs the first cell and notes the commands instead of doing them."""
    shell, commands = InteractiveShell(), []
    monkeypatch.setattr(shell, "system", commands.append)

    def magic(name, line, **_):
        commands.append(f"%{name} {line}")

    monkeypatch.setattr(shell, "run_line_magic", magic)

    def run():
        result = shell.run_cell(colab.first_cell(*WHERE).source)
        result.raise_error()
        return commands

    return run


def test_does_nothing_elsewhere(done):
    assert done() == []


def test_installs_the_published_course_in_colab(done, monkeypatch):
    output = ModuleType("output")
    asked = []
    output.enable_custom_widget_manager = lambda: asked.append("widgets")
    module = ModuleType("google.colab")
    module.output = output
    monkeypatch.setitem(sys.modules, "google", ModuleType("google"))
    monkeypatch.setitem(sys.modules, "google.colab", module)
    assert done() == [
        "git clone -q https://github.com/someone/attention /content/course",
        "git -C /content/course checkout -q 0123abc",
        "%pip install -q /content/course /content/course/course",
        "%cd -q /content/course/book",
    ]
    assert asked == ["widgets"]


def test_every_lesson_gets_the_cell_and_keeps_the_rest(tmp_path):
    colab.write_copies(tmp_path, *WHERE)
    for path in BOOK.glob("*.ipynb"):
        original = nbformat.read(path, as_version=4).cells
        copy = nbformat.read(tmp_path / "book" / path.name, as_version=4).cells
        added = len(copy) - len(original)
        assert copy[added:] == original
        assert added == any(cell.cell_type == "code" for cell in original)
        assert all(
            cell.source == colab.first_cell(*WHERE).source for cell in copy[:added]
        )


def test_solutions_can_be_left_out(tmp_path, monkeypatch):
    monkeypatch.setenv("SOLUTIONS", "0")
    colab.write_copies(tmp_path, *WHERE)
    tags = [
        tag
        for path in (tmp_path / "book").glob("*.ipynb")
        for cell in nbformat.read(path, as_version=4).cells
        for tag in cell.metadata.get("tags", [])
    ]
    assert "no-live" in tags
    assert not {"solution", "solution-intro"} & set(tags)


@pytest.mark.parametrize("where", [("no slash", "0123abc"), ("a/b", "$(rm)")])
def test_refuses_what_is_no_address(where):
    with pytest.raises(ValueError, match="must be"):
        colab.first_cell(*where)
