"""The same notebook in a real JupyterLab: the figure moves, and Python reads it."""

import contextlib
import re
import shutil

import pytest
from built_site import ROOT, WIDE
from lab_server import serve_lab
from playwright.sync_api import TimeoutError

LESSON = "03_scaling.ipynb"
# A cell that is run before there is a kernel is forgotten.
IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab server with a copy of the lesson."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copy(ROOT / "book" / LESSON, folder)
    option = "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"
    with serve_lab(folder, folder, isolated(folder), option) as address:
        yield address


def isolated(folder):
    """The environment of a user who has never opened JupyterLab."""
    homes = {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
    }
    return {**homes, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def notebook(browser, lab):
    """The lesson, open in JupyterLab, with nothing run."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.goto(f"{lab}/lab/tree/{LESSON}?reset")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=240_000)
    page.locator(IDLE).first.wait_for(timeout=240_000)
    yield page
    context.close()


def cell(page, text):
    return page.locator(".jp-CodeCell", has_text=text).first


def run(page, text, shows, *, patience=24):
    """Run the cell that holds the text until it shows something; return what it shows.

    A cell that is run before its kernel answers is forgotten, so it is run again. It
    stays selected: JupyterLab takes cells out of the page that scroll away.
    """
    one = cell(page, text)
    wanted = shows(one)
    for _ in range(patience):
        one.locator(".jp-InputArea-editor").click()
        page.keyboard.press("ControlOrMeta+Enter")
        with contextlib.suppress(TimeoutError):
            wanted.wait_for(timeout=10_000)
            return wanted
    raise AssertionError(f"nothing after {patience} runs: {one.inner_text()}")


def test_slider_moves_the_figure_and_python_reads_it(notebook):
    view = run(notebook, "figure = live.panel", lambda one: one.locator(".aw-view"))
    figure = cell(notebook, "figure = live.panel")
    before = view.inner_html()
    figure.locator("[role=slider]").last.focus()
    notebook.keyboard.press("ArrowRight")
    notebook.wait_for_function(
        "before => document.querySelector('.aw-view').innerHTML !== before", arg=before
    )
    svg = view.locator("[role=img]").last
    assert "At d_k = 128" in svg.get_attribute("aria-label")
    shown = [float(w) for w in svg.get_attribute("data-weights").split()]
    assert in_python(notebook) == pytest.approx(shown[:8], abs=2e-4)


def in_python(page):
    """The first row of weights, as the next cell computes it from the sliders."""
    one = cell(page, "divided = figure.compute()")
    one.locator(".jp-InputArea-editor").click()
    page.keyboard.press("ControlOrMeta+a")
    code = "print(figure.values['d_k'], figure.compute().weights[0].tolist())"
    page.keyboard.insert_text(code)
    said = run(
        page,
        code,
        lambda one: one.locator(".jp-OutputArea-output").filter(has_text="128 ["),
    )
    return [float(w) for w in re.findall(r"\d\.\d+(?:e-\d+)?", said.inner_text())]
