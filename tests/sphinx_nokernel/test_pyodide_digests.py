"""Pyodide's own files are compared with digests before any of them runs."""

import base64
import hashlib
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from sphinx_nokernel.config import DIGESTS, PYODIDE
from sphinx_nokernel.live_code import digests

CORE = Path(__file__).resolve().parents[2] / "node_modules" / "pyodide"
HOME = "http://127.0.0.1:9/"  # where nothing is: every request is answered here
STRANGER = "http://127.0.0.1:8/pyodide/"
ENDED = "[data-live=failed], [data-live=done], [data-live=error]"
KINDS = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript"}
KINDS |= {".css": "text/css", ".wasm": "application/wasm", ".json": "application/json"}


def test_they_are_those_of_the_package_that_npm_locks():
    for name, digest in DIGESTS.items():
        found = hashlib.sha256((CORE / name).read_bytes()).digest()
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
    book.build(nokernel_pyodide=STRANGER, nokernel_imports={"attnlib": "numpy"})
    return book.out


@pytest.fixture
def press_run(browser, folder):
    """A function that presses Run; it returns what is asked for and what is said."""
    contexts = []

    def run(altered=None, cell=0, refused=(), how=503):
        asked = []

        def answer(route):
            url = route.request.url.partition("?")[0]
            asked.append(url.removeprefix(STRANGER))
            if url.startswith(STRANGER):
                path = CORE / url.removeprefix(STRANGER)
            else:
                path = folder / url.removeprefix(HOME)
            if path.name in refused and how == 503:
                return route.fulfill(status=how)
            if not path.is_file() or path.name in refused:
                return route.abort()
            more = b" " if path.name == altered else b""
            headers = {"access-control-allow-origin": "*"}
            kind = KINDS.get(path.suffix, "application/octet-stream")
            body = path.read_bytes() + more
            return route.fulfill(body=body, content_type=kind, headers=headers)

        context = browser.new_context()
        contexts.append(context)
        context.route("**", answer)
        page = context.new_page()
        page.goto(f"{HOME}index.html")
        page.get_by_role("button", name="Run ").nth(cell).click()
        page.locator(ENDED).wait_for(timeout=120_000)
        run.page = page
        return asked, page.locator(".cell").nth(cell).get_by_role("status").inner_text()

    yield run
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", DIGESTS)
def test_a_file_that_was_changed_is_not_run(press_run, name):
    asked, said = press_run(altered=name)
    assert name in asked
    assert f"{name} is not the file that this page expects, and was not run." in said


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("pyodide.asm.wasm", 503),
        ("pyodide.asm.wasm", "dropped"),
        ("python_stdlib.zip", 503),
        ("pyodide.mjs", "dropped"),
    ],
)
def test_a_file_that_does_not_come_is_named_and_the_next_run_fetches_it(
    press_run, name, how
):
    """Pyodide itself would wait for ever for some of them."""
    refused = {name}
    _, said = press_run(refused=refused, how=how)
    assert said == (
        f"Python could not be fetched: {name} did not come from 127.0.0.1:8; check the "
        "connection, then try again."
    )
    refused.clear()
    page = press_run.page
    page.get_by_role("button", name="Run ").first.click()
    page.locator("[data-live=done]").wait_for(timeout=120_000)


def test_files_as_they_were_published_are_and_no_package_that_nothing_imports(
    press_run,
):
    asked, said = press_run()
    assert [name for name in asked if name.endswith(".whl")] == []
    assert said == "Done."


def test_what_a_package_of_the_site_needs_is_fetched_with_the_cell_that_imports_it(
    press_run,
):
    """No registry has NumPy for Pyodide: it is asked for, and does not come."""
    asked, said = press_run(cell=1)
    assert [name for name in asked if name.startswith("numpy-2.0.2-")]
    assert said == "Ended with an error."
