"""A build depends on the sources and the settings, and on nothing built before.

A small book is built by `tools/build_book.py`, changed, built again: byte for byte what
a first build gives. The real book lends it its extensions.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import build_book
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from run_tests import contents

ROOT = Path(__file__).resolve().parents[2]
CONFIG = """
title: Small
author: nobody
only_build_toc_files: true
execute: {execute_notebooks: cache}
sphinx:
  recursive_update: true
  extra_extensions: [sphinx_nokernel, attncourse.site.environment]
  config: {nokernel_live_code: false, nokernel_lighten: true}
"""
TOC = "format: jb-book\nroot: book/index\nchapters: [%s]\n"
SLIDERS = """
import ipywidgets as w
a, b = w.IntSlider(description="a"), w.IntSlider(description="b")
link = w.jslink((a, "value"), (b, "value"))
w.VBox([b, a])
"""


def small_notebook():
    """A cell that puts out widgets, which the kernel names by chance."""
    cells = [new_markdown_cell("# Sliders"), new_code_cell(SLIDERS)]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"name": "python3", "display_name": "Python 3"}
    return nbformat.writes(new_notebook(cells=cells, metadata={"kernelspec": kernel}))


PAGES = {
    "_config.yml": CONFIG,
    "_toc.yml": TOC % "{file: book/words}, {file: book/sliders}",
    "book/index.md": "# Small\n\nA {term}`hull`.",
    "book/words.md": "# Words\n\n```{glossary}\nhull\n  What is outside.\n```\n",
    "book/sliders.ipynb": small_notebook(),
    "attnlib/masks.py": "# what lessons import\n",
}


class SmallBook:
    """A folder with a book, and what its builds have made."""

    def __init__(self, root):
        self.root, self.site = root, root / "_build" / "html"
        for name, text in PAGES.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def begin(self):
        """Start a build, as a process of its own."""
        code = (
            "import sys, pathlib, build_book as b; sys.exit(b.main(pathlib.Path('.')))"
        )
        path = os.pathsep.join([str(ROOT / "tools"), str(ROOT / "course")])
        return subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def build(self):
        """Build; return what it said."""
        build = self.begin()
        said = build.communicate()[0]
        assert build.returncode == 0, said
        return said


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The small book, built once; each test leaves its sources as they were."""
    book = SmallBook(tmp_path_factory.mktemp("book"))
    book.build()
    book.first = contents(book.site)
    return book


def differing(book):
    """The files of the site that are not those of its first build."""
    return sorted(
        {name for name, _ in book.first.items() ^ contents(book.site).items()}
    )


def has_written(page, text):
    """Whether a build that is under way has written text to page.

    The build removes pages and writes them anew, at any moment.
    """
    try:
        return text in page.read_text()
    except FileNotFoundError:
        return False


def test_what_has_not_changed_is_not_built(book):
    os.utime(book.root / "attnlib" / "masks.py")
    os.utime(book.root / "book" / "sliders.ipynb")
    assert "Nothing has changed" in book.build()
    assert differing(book) == []


def test_a_site_that_lost_a_file_is_not_taken_for_one_that_stands(book):
    page, build = book.site / "book" / "words.html", build_book.Build(book.root)
    text = page.read_bytes()
    assert build.stands()
    page.unlink()
    assert not build.stands()
    page.write_bytes(text)


def test_changes_that_are_undone_or_stopped_leave_nothing_behind(book):
    """A title, a term, a page, and code that lessons import, which run again."""
    changes = {
        "book/words.md": PAGES["book/words.md"].replace("# Words", "# More words"),
        "book/added.md": "# Added\n\n```{glossary}\nrim\n  An edge.\n```\n",
        "_toc.yml": TOC % "{file: book/words}, {file: book/added}",
        "attnlib/masks.py": "# otherwise\n",
    }
    for name, text in changes.items():
        book.write(name, text)
    book.build()
    assert "More words" in (book.site / "book" / "index.html").read_text()
    assert (book.site / "book" / "added.html").exists()
    assert not (book.site / "book" / "sliders.html").exists()
    stop_a_build(book)
    for name in changes:
        if name in PAGES:
            book.write(name, PAGES[name])
        else:
            (book.root / name).unlink()
    assert "Executing" in book.build()
    assert differing(book) == []


def stop_a_build(book):
    """Begin to build something else, and end that in the middle."""
    book.write("book/words.md", "# Nothing\n\n```{glossary}\nhull\n  Inside.\n```\n")
    build = book.begin()
    page = book.site / "book" / "words.html"
    while not has_written(page, "Nothing"):
        assert build.poll() is None, build.stdout.read()
        time.sleep(0.01)
    os.killpg(build.pid, signal.SIGKILL)
    build.communicate()


def test_a_build_that_failed_is_not_taken_for_one_that_did_not(book):
    """Sphinx tells a warning only when it reads the page.

    And a change of the site's own code, which lessons do not import, runs none.
    """
    book.write("book/words.md", PAGES["book/words.md"] + "\n[](nowhere.md)\n")
    own = "course/attncourse/site/strip.py"
    book.write(own, "# new")
    build = book.begin()
    said = build.communicate()[0]
    assert build.returncode != 0
    assert "nowhere.md" in said
    assert "Executing" not in said
    assert not build_book.Build(book.root).stands()
    book.write("book/words.md", PAGES["book/words.md"])
    (book.root / own).unlink()


@pytest.mark.parametrize("name", build_book.SETTINGS)
def test_a_setting_changes_the_state(tmp_path, monkeypatch, name):
    monkeypatch.delenv(name, raising=False)
    before = build_book.fingerprint(tmp_path, ())
    monkeypatch.setenv(name, "else")
    assert build_book.fingerprint(tmp_path, ()) != before
