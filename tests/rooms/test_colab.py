"""The copies for Colab: a first cell that installs there, and nothing elsewhere."""

import os
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import colab
import export
import find_solutions
import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

BOOK = Path(__file__).resolve().parents[2] / "book"
HOME = "https://colab.research.google.com/github/someone/attention/blob/colab/book"
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
        "%pip install -q /content/course /content/course/attncheck",
        "%pip install -q /content/course/attnconfig /content/course/named_mistakes",
        '%pip install -q "/content/course/course[lessons]"',
        "%cd -q /content/course/book",
    ]
    assert asked == ["widgets"]


@pytest.fixture(scope="module")
def plain(request):
    """The plain copies with solutions, whichever the whole run has: as if for HOME."""
    if os.environ.get("SOLUTIONS") != "0":
        return {HOME: request.getfixturevalue("plain_copies")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOLUTIONS", "")
        return {HOME: [*export.copies(HOME)]}


@pytest.fixture(scope="module")
def copies(tmp_path_factory, plain):
    folder = tmp_path_factory.mktemp("colab")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "copies", plain.__getitem__)
        colab.write_copies(folder, *WHERE)
    return folder / "book"


def test_the_first_cell_and_then_the_plain_copy(copies, plain):
    for place, text in plain[HOME]:
        cells = nbformat.reads(text, as_version=4).cells
        copy = nbformat.read(copies / place, as_version=4).cells
        added = len(copy) - len(cells)
        assert copy[added:] == cells
        assert added == any(cell.cell_type == "code" for cell in cells)
        first = colab.first_cell(*WHERE).source
        assert [cell.source for cell in copy[:added]] == [first] * added


@pytest.mark.pages(
    "book/puzzles/what_it_means.html", "book/12_inside_a_real_model.html"
)
def test_links_lead_to_the_other_copies_in_colab(tmp_path, monkeypatch):
    """Of the puzzles alone: each lies deeper than what it leads to."""
    few = {**export.settings(), "nokernel_bundle_files": ["puzzles/*.ipynb"]}
    monkeypatch.setattr(export, "settings", lambda _: few)
    colab.write_copies(tmp_path, *WHERE)
    copy = tmp_path / "book" / "puzzles" / "what_it_means.ipynb"
    puzzle = copy.read_text(encoding="utf-8")
    assert f"({HOME}/12_inside_a_real_model.ipynb)" in puzzle


def installed():
    """The modules that Colab's first cell installs, with what the package needs."""
    project = tomllib.loads((BOOK.parent / "course/pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    needs = {*project["project"]["dependencies"], *extras["claims"], *extras["lessons"]}
    return {re.split(r"[\[>=]", need)[0].replace("-", "_") for need in needs}


def imported(path):
    """The modules that a notebook or a file of Python imports."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = nbformat.reads(text, as_version=4).cells
        text = "\n".join(c.source for c in cells if c.cell_type == "code")
    return set(re.findall(r"^ *(?:import|from) (\w+)", text, re.MULTILINE))


@pytest.mark.parametrize("path", sorted(BOOK.rglob("*.ipynb")), ids=lambda p: p.stem)
def test_what_it_installs_is_all_that_a_page_imports(path):
    """Colab has NumPy, SciPy and matplotlib; the extra `lessons` names the rest."""
    assert imported(path) - sys.stdlib_module_names <= installed()


def test_it_installs_nothing_that_nobody_imports():
    code = (BOOK.parent / "course" / "attncourse").rglob("*.py")
    used = set().union(*map(imported, [*BOOK.rglob("*.ipynb"), *code]))
    assert installed() - used == set()


@pytest.mark.release  # of plain copies, test_copies.py says so
def test_solutions_can_be_left_out(tmp_path, monkeypatch, copies):
    monkeypatch.setenv("SOLUTIONS", "0")
    colab.write_copies(tmp_path, *WHERE)
    for folder, published in ((copies, True), (tmp_path / "book", False)):
        found = find_solutions.find([folder], *find_solutions.secrets())
        assert bool(found) is published
        text = "".join(path.read_text("utf-8") for path in folder.glob("*.ipynb"))
        assert ("Show a solution" in text) is published
        assert "no-live" in text


@pytest.mark.parametrize("where", [("no slash", "0123abc"), ("a/b", "$(rm)")])
def test_refuses_what_is_no_address(where):
    with pytest.raises(ValueError, match="must be"):
        colab.first_cell(*where)
