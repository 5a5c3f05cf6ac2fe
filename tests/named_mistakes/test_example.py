"""The example book: Jupyter Book builds it, and its page checks answers by itself."""

import os
import shutil
import subprocess
import sys
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pyodide_files import PyodideFiles

from sphinx_nokernel.wheels import build_wheel

pytestmark = [pytest.mark.slow, pytest.mark.long]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "named_mistakes" / "example"
REFUSE = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("attnlib", "attncourse"):
            raise ModuleNotFoundError(f"{name}: not in this environment")

sys.meta_path.insert(0, Refuse())
"""
BUILD = "from jupyter_book.cli.main import main; main()"
PATIENCE = 120_000  # milliseconds
ORIGIN = """def my_line(x, y):
    return (x * y).sum() / (x**2).sum(), 0.0


check(FIT_LINE, my_line)"""
BEST = """def my_line(x, y):
    return tuple(np.polyfit(x, y, 1))


check(FIT_LINE, my_line)"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the built book.

    The package is that of the wheel; attnlib and attncourse are refused, in the kernel
    too.
    """
    folder = tmp_path_factory.mktemp("regression") / "example"
    with zipfile.ZipFile(build_wheel("named_mistakes", folder.parent, ROOT)) as wheel:
        wheel.extractall(folder.parent)
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("_build", "__py*"))
    (folder.parent / "sitecustomize.py").write_text(REFUSE)
    run = subprocess.run(
        [sys.executable, "-c", BUILD, "build", ".", "-W", "--keep-going"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder.parent)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "_build" / "html"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def page(built, browser):
    """The page in a browser, from a server that hands out files and does no more."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
    address = page.locator("[data-pyodide]").first.get_attribute("data-pyodide")
    PyodideFiles(address).serve(context)
    yield page
    context.close()
    server.shutdown()
    server.server_close()


def run(page, code):
    """Put an answer into the first exercise's cell; return what the checker says."""
    cell = page.locator("div.cell:has(.live-bar)").nth(1)
    edit = cell.get_by_role("button", name="Edit ")
    if edit.is_visible():
        edit.click()
    cell.get_by_role("textbox").fill(code)
    cell.get_by_role("button", name="Run ").click()
    for _ in range(PATIENCE // 50):
        if cell.get_attribute("data-live") in ("done", "error", "failed"):
            break
        page.wait_for_timeout(50)
    assert cell.get_attribute("data-live") == "done", cell.inner_text()
    return cell.locator(".verdict").inner_text()


def test_the_page_shows_a_verdict_that_was_computed_at_build(built):
    text = (built / "index.html").read_text(encoding="utf-8")
    assert '<div class="verdict verdict-failed">' in text
    assert "<code>not-centered</code>" in text
    assert "verdict.css" in text


def test_an_answer_is_checked_in_the_page(page):
    said = run(page, ORIGIN)
    assert "fit_line: not yet." in said
    assert "through-the-origin" in said
    assert "✓ fit_line: right." in run(page, BEST)
