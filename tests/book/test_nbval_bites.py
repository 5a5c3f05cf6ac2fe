"""Prove that the notebook suite notices: break attnlib, see a lesson fail.

And what the build printed is compared where it ran the same code, and there alone.
"""

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tools import as_built, build_book
from tools.run_tests import NBVAL

ROOT = Path(__file__).resolve().parents[2]
RESULT = re.compile(r"^([A-Z]+) (\w+)/excerpt\.ipynb::Cell", re.MULTILINE)
NEEDED = ("conftest.py", "pyproject.toml")
NEEDED += ("tools/kernels.py", "tools/as_built.py", "tools/build_book.py")
BROKEN = ("scores.py", "scores / math.sqrt(d_k)", "scores / 1")


@pytest.fixture(scope="module")
def excerpt():
    """The first part of lesson 3."""
    lesson = nbformat.read(ROOT / "book" / "03_scaling.ipynb", as_version=4)
    plain = [c for c in lesson.cells if "no-live" not in c.metadata.get("tags", [])]
    last = [cell.id for cell in plain].index("one-product-code")
    lesson.cells = plain[: last + 1]
    return lesson


def write_copy(folder, excerpt):
    """Write attnlib and the excerpt where they can be broken; return the library."""
    shutil.copytree(ROOT / "attnlib", folder / "attnlib")
    nbformat.write(excerpt, folder / "excerpt.ipynb")
    return folder / "attnlib"


def break_library(library, name, right, wrong):
    source = (library / name).read_text()
    assert source.count(right) == 1, f"{name} has changed: mend this test"
    (library / name).write_text(source.replace(right, wrong))


def says(source, text):
    """A notebook of one cell, and what it is said to print."""
    outputs = [new_output("stream", text=text)]
    cell = new_code_cell(source, id="one", outputs=outputs, execution_count=1)
    return new_notebook(cells=[cell])


BUILT = says("print(1)", "2\n")  # as no kernel would
STORED = {
    "printed": BUILT,
    "differs": says("print(1)", "1\n"),
    "edited": says("print(3)", "3\n"),
}


def write_built(root):
    """Write what is stored, and all of it as a build has run it."""
    for name, stored in STORED.items():
        for folder, one in (("", stored), ("_build/jupyter_execute", BUILT)):
            (root / folder / name).mkdir(parents=True)
            nbformat.write(one, root / folder / name / "excerpt.ipynb")
    (root / "_build" / "executed").write_text(build_book.Build(root).imported)


@pytest.fixture(scope="module")
def results(tmp_path_factory, excerpt):
    """How the cells ended, by folder: all in one run of pytest."""
    folder = tmp_path_factory.mktemp("bites")
    (folder / "tools").mkdir()
    for name in NEEDED:
        shutil.copy(ROOT / name, folder / name)
    write_built(folder)
    write_copy(folder / "whole", excerpt)
    break_library(write_copy(folder / "broken", excerpt), *BROKEN)
    command = [sys.executable, "-m", "pytest", *NBVAL, "-q", "-rA", "."]
    # A kernel starts in its notebook's folder, and imports what lies there first.
    path = os.pathsep.join([".", os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    )
    found = {}
    for ended, name in RESULT.findall(run.stdout):
        found.setdefault(name, set()).add(ended)
    assert len(found) == 5, run.stdout
    return found


def test_a_broken_library_fails_the_lesson_and_a_whole_one_does_not(results):
    assert results["whole"] == {"PASSED"}
    assert "FAILED" in results["broken"]


def test_what_the_build_printed_is_compared_where_it_ran_this_code(results):
    assert [results[name] for name in STORED] == [{"PASSED"}, {"FAILED"}, {"PASSED"}]


def test_where_what_lessons_import_has_changed_it_is_not(tmp_path, monkeypatch):
    write_built(tmp_path)
    monkeypatch.setattr(as_built, "build", partial(build_book.Build, tmp_path))
    path = tmp_path / "printed" / "excerpt.ipynb"
    assert as_built.printed(path, BUILT)
    (tmp_path / "attnlib").mkdir()
    (tmp_path / "attnlib" / "scores.py").write_text("# otherwise")
    assert as_built.printed(path, BUILT) is None
