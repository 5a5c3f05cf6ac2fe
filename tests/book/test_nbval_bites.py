"""Prove that the notebook suite notices: break attnlib, see a lesson fail."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULT = re.compile(r"^([A-Z]+) (\w+)/excerpt\.ipynb::Cell", re.MULTILINE)
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


@pytest.fixture(scope="module")
def results(tmp_path_factory, excerpt):
    """How the cells ended, by library: all in one run of pytest, a kernel for each."""
    folder = tmp_path_factory.mktemp("bites")
    for name in ("conftest.py", "pyproject.toml", "tools/kernels.py"):
        shutil.copy(ROOT / name, folder)
    write_copy(folder / "whole", excerpt)
    break_library(write_copy(folder / "broken", excerpt), *BROKEN)
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-rA", "."]
    # A kernel starts in its notebook's folder, and imports what lies there first.
    path = os.pathsep.join([".", os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    )
    found = {}
    for ended, name in RESULT.findall(run.stdout):
        found.setdefault(name, set()).add(ended)
    assert len(found) == 2, run.stdout
    return found


def test_a_broken_library_fails_the_lesson_and_a_whole_one_does_not(results):
    assert results["whole"] == {"PASSED"}
    assert "FAILED" in results["broken"]
