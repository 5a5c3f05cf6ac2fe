"""A test of a page is collected if the book lists the page, and only then."""

import shutil
import subprocess
import sys

import pytest
from built_site import ROOT

TESTS = """
import pytest
from built_site import HTML

NAMES = ["book/one.html", "book/two.html", "book/puzzles/three.html"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.pages(name)) for name in NAMES]
)
def test_one_page(name):
    assert (HTML / name).exists()


@pytest.mark.pages("book/one.html", "book/two.html")
def test_two_pages():
    pass


def test_no_page():
    pass
"""
TOC = """
root: book/index
parts: [{chapters: [{file: book/one, sections: [{file: book/puzzles/three}]}]}]
"""


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """What pytest says of tests of three pages: one is built, two are listed."""
    root = tmp_path_factory.mktemp("fork")
    (root / "tests" / "site").mkdir(parents=True)
    for name in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / name, root / name)
    for name in ("listed.py", "built_site.py"):
        shutil.copy(ROOT / "tests" / "site" / name, root / "tests" / "site")
    shutil.copytree(ROOT / "tools", root / "tools")
    (root / "_toc.yml").write_text(TOC)
    (root / "_build" / "html" / "book").mkdir(parents=True)
    (root / "_build" / "html" / "book" / "one.html").touch()
    (root / "tests" / "site" / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "tests/site"]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return run.stdout


def test_a_page_that_is_not_listed_has_no_tests(ended):
    assert "two.html" not in ended
    assert "test_two_pages" not in ended
    assert "2 deselected" in ended
    assert "skipped" not in ended


def test_a_page_that_is_listed_has_them_and_fails_if_it_is_not_built(ended):
    assert "PASSED tests/site/test_some.py::test_one_page[book/one.html]" in ended
    assert "FAILED tests/site/test_some.py::test_one_page[book/puzzles" in ended


def test_what_names_no_page_is_always_run(ended):
    assert "PASSED tests/site/test_some.py::test_no_page" in ended
