"""Prove that the notebook suite notices: break attnlib, see a lesson fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
BREAKS = {
    "the scale is dropped": ("scores.py", "scores / math.sqrt(d_k)", "scores / 1"),
    "the key is not transposed": (
        "scores.py",
        "namespace(key).matrix_transpose(key)",
        "key",
    ),
    "softmax runs down columns": (
        "probabilities.py",
        "axis: int = -1) -> Float",
        "axis: int = -2) -> Float",
    ),
}


@pytest.fixture
def copy(tmp_path):
    """attnlib and an excerpt of lesson 3, where they can be broken."""
    shutil.copytree(ROOT / "attnlib", tmp_path / "attnlib")
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    lesson = nbformat.read(ROOT / "book" / "03_scaling.ipynb", as_version=4)
    plain = [c for c in lesson.cells if "no-live" not in c.metadata.get("tags", [])]
    last = [cell.id for cell in plain].index("scale-posts-code")
    lesson.cells = plain[: last + 1]
    nbformat.write(lesson, tmp_path / "excerpt.ipynb")
    return tmp_path


def nbval(folder):
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "excerpt.ipynb"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    )


def test_the_excerpt_passes_as_it_is(copy):
    run = nbval(copy)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("broken", BREAKS.values(), ids=BREAKS.keys())
def test_a_broken_library_fails_the_lesson(copy, broken):
    name, right, wrong = broken
    module = copy / "attnlib" / name
    source = module.read_text()
    assert source.count(right) == 1, f"{name} has changed: mend this test"
    module.write_text(source.replace(right, wrong))
    run = nbval(copy)
    assert run.returncode == 1, run.stdout
    assert "excerpt.ipynb::Cell" in run.stdout
