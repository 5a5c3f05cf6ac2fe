"""What no registry has: tests of it are named at the end, and fail where CI=true."""

import subprocess
import sys

import pytest
from built_site import ROOT

TEST = """
import pyodide_files


def test_a(monkeypatch, tmp_path):
    monkeypatch.setattr(pyodide_files, "BESIDE", tmp_path / "none")
    pyodide_files.PyodideFiles("http://127.0.0.1:9/")
"""


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_what_cannot_be_had_is_named(tmp_path, monkeypatch, ci, code):
    monkeypatch.setenv("CI", ci)
    monkeypatch.delenv("PYODIDE_DIR", raising=False)
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_it.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml"]
    command += ["--rootdir", ROOT, "-p", "no:cacheprovider", tmp_path]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == code, run.stdout
    *_, what, where, _ = run.stdout.splitlines()
    if ci:
        assert "NumPy and matplotlib for Pyodide" in run.stdout
    else:
        assert what.startswith("1 tests, for want of: NumPy and matplotlib for Pyodide")
        assert "PYODIDE_DIR" in what
        assert "test_it.py" in where
