"""Pyodide's own files are compared with digests before any of them runs."""

import base64
import hashlib
from types import SimpleNamespace

import nbformat
import pytest
from books import HOME, NPM, PYTHON, file_of, fulfill
from built_site import now
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from sphinx_nokernel.config import DIGESTS, PYODIDE
from sphinx_nokernel.live_code import digests


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


@pytest.mark.parametrize("name", now(DIGESTS, {"pyodide.mjs", "python_stdlib.zip"}))
def test_a_file_that_was_changed_is_not_run(visit, name):
    visit.altered = name
    said = visit.run()
    assert name in visit.asked
    assert f"{name} is not the file that this page expects, and was not run." in said


def test_what_does_not_come_is_named_and_the_next_run_fetches_it(visit):
    """Pyodide itself would wait for ever for some of them."""
    for name, visit.how in (
        ("pyodide.mjs", "dropped"),
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
    # No registry has NumPy for Pyodide: it is asked for by the cell that imports it.
    assert [name for name in visit.asked if name.endswith(".whl")] == []
    assert visit.run(1) == "Ended with an error."
    assert [name for name in visit.asked if name.startswith("numpy-2.0.2-")]


# The worker's modules in Pyodide itself, as npm has it: in node, without NumPy.
#
# `tests/site` runs the lessons in it, with the packages that no registry has.
