"""Tests of what no registry has are named at the end of the report.

Those that need NumPy for Pyodide fail where CI=true, as every machine that can publish
can have it; those of Firefox fail where FIREFOX names one that is not there.
"""

import subprocess
import sys

import firefox_at_hand
import pyodide_files
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


def test_each_want_is_named_with_how_to_have_it_and_its_own_files(
    monkeypatch, tmp_path
):
    """As `make test` would run them, in a folder of its own."""
    for name in ("PYODIDE_DIR", "FIREFOX", "CI"):
        monkeypatch.delenv(name, raising=False)
    shared = ROOT / "tests" / "conftest.py"
    (tmp_path / "conftest.py").write_text(shared.read_text())
    (tmp_path / "test_it.py").write_text(PYODIDE)
    (tmp_path / "test_other.py").write_text(FIREFOX)
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml"]
    command += ["--rootdir", ROOT, "-p", "no:cacheprovider", "-p", "no:nbval", tmp_path]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout
    lines = ended.stdout.splitlines()
    wants = [line for line in lines if line.startswith("1 test, for want of: ")]
    named = [line for line in lines if line.startswith("In ")]
    for want, kind, how in zip(wants, WANTS, HOW, strict=True):
        assert want.partition("of: ")[2].startswith(kind)
        assert how in want
    assert [line.count("test_it.py") for line in named] == [1, 0]
    assert [line.count("test_other.py") for line in named] == [0, 1]


def test_what_has_to_be_there_fails_without(monkeypatch):
    """Where CI=true all but a Firefox can be had, unless one is named."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="none at hand"):
        pyodide_files.lacking("none at hand")
    monkeypatch.setattr(firefox_at_hand, "NAMES", ("no-such-firefox",))
    monkeypatch.setenv("FIREFOX", "")
    assert firefox_at_hand.find_firefox() is None
    monkeypatch.setenv("FIREFOX", "/no/firefox")
    with pytest.raises(AssertionError, match="FIREFOX names no program: /no/firefox"):
        firefox_at_hand.find_firefox()
