"""Tests of what no registry has are named at the end of the report.

Those that need NumPy for Pyodide fail where CI=true, as every machine that can publish
can have it; those of Firefox fail where FIREFOX names one that is not there.
"""

import subprocess
import sys

import pytest
from built_site import ROOT

PYODIDE = """
import pyodide_files


def test_a(monkeypatch, tmp_path):
    monkeypatch.setattr(pyodide_files, "BESIDE", tmp_path / "none")
    pyodide_files.PyodideFiles("http://127.0.0.1:9/")
"""
FIREFOX = """
import pytest
import firefox_at_hand
from firefox_at_hand import firefox


@pytest.fixture(autouse=True, scope="module")
def no_firefox():
    firefox_at_hand.NAMES = ("no-such-firefox",)


def test_a(no_firefox, firefox):
    raise AssertionError("there is a Firefox")
"""
WANTS = "NumPy and matplotlib for Pyodide", "Firefox, which make test does not fetch"
HOW = "PYODIDE_DIR", "FIREFOX="


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A function that runs a test as `make test` would, in a folder of its own."""
    monkeypatch.delenv("PYODIDE_DIR", raising=False)
    monkeypatch.delenv("FIREFOX", raising=False)

    def run(text, **variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        shared = ROOT / "tests" / "conftest.py"
        (tmp_path / "conftest.py").write_text(shared.read_text())
        (tmp_path / "test_it.py").write_text(text)
        command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml"]
        command += ["--rootdir", ROOT, "-p", "no:cacheprovider", tmp_path]
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False
        )

    return run


def test_each_want_is_named_with_how_to_have_it_and_its_own_files(run, tmp_path):
    (tmp_path / "test_other.py").write_text(FIREFOX)
    ended = run(PYODIDE, CI="")
    assert ended.returncode == 0, ended.stdout
    lines = ended.stdout.splitlines()
    wants = [line for line in lines if line.startswith("1 test, for want of: ")]
    named = [line for line in lines if line.startswith("In ")]
    for want, kind, how in zip(wants, WANTS, HOW, strict=True):
        assert want.partition("of: ")[2].startswith(kind)
        assert how in want
    assert [line.count("test_it.py") for line in named] == [1, 0]
    assert [line.count("test_other.py") for line in named] == [0, 1]


def test_what_has_to_be_there_fails_without(run, tmp_path):
    """Where CI=true all but a Firefox can be had, unless one is named."""
    (tmp_path / "test_other.py").write_text(FIREFOX)
    ended = run(PYODIDE, CI="true")
    assert ended.returncode == 1
    assert f"1 test, for want of: {WANTS[1]}" in ended.stdout
    assert "1 failed, 1 skipped" in ended.stdout
    ended = run(PYODIDE, FIREFOX="/no/firefox", CI="")
    assert ended.returncode == 1
    assert "FIREFOX names no program: /no/firefox" in ended.stdout
