"""Figures in a real JupyterLab: they move, Python reads them, and tracks are long."""

import contextlib
import os
import re
import shutil

import nbformat
import pytest
from built_site import ROOT, WIDE
from lab_server import serve_lab
from playwright.sync_api import TimeoutError

from sphinx_nokernel.export.notebooks import METADATA

pytestmark = pytest.mark.long

LESSON, ALL = "03_scaling.ipynb", "figures.ipynb"
LAPTOP = {"width": 1280, "height": 800}
SHORTEST = 200  # pixels of a slider's track
# What trains before it is drawn has controls like those of others.
TRAIN = {"training", "train_copying", "copying_heads"}
FIGURES = {path.parent.name for path in ROOT.glob("course/*/figures/*/live.py")} - TRAIN
READY = "print('the', 'kernel', 'answers')"
DRAW_ALL = """from importlib import import_module
import ipywidgets
ipywidgets.VBox([
    import_module(f"attncourse.figures.{name}.live").panel() for name in %s
])"""
# A cell that is run before there is a kernel is forgotten, or a dialog asks for one.
ACCEPT = ".jp-Dialog .jp-mod-accept"
IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab server with a copy of the lesson, and all figures."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copy(ROOT / "book" / LESSON, folder)
    cells = map(nbformat.v4.new_code_cell, (READY, DRAW_ALL % sorted(FIGURES)))
    notebook = nbformat.v4.new_notebook(cells=list(cells), metadata=METADATA)
    nbformat.write(notebook, folder / ALL)
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
    return {**homes, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'course'}"}


@pytest.fixture
def notebook(browser, lab):
    """The lesson, open in JupyterLab, with nothing run."""
    page = opened(browser, lab, LESSON, WIDE)
    yield page
    page.context.close()


def opened(browser, lab, name, viewport):
    page = browser.new_context(viewport=viewport).new_page()
    page.goto(f"{lab}/lab/tree/{name}?reset")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=240_000)
    page.locator(IDLE).first.wait_for(timeout=240_000)
    return page


def cell(page, text):
    return page.locator(".jp-CodeCell", has_text=text).first


def run(page, text, shows, *, patience=24):
    """Run the cell that holds the text until it shows something; return what it shows.

    A cell that is run before its kernel answers is forgotten, or JupyterLab asks for a
    kernel, so it is run again. It stays selected: JupyterLab takes cells out of the
    page that scroll away.
    """
    one, question = cell(page, text), page.locator(ACCEPT)
    wanted = shows(one)
    for _ in range(patience):
        if question.count():
            question.first.click()
        with contextlib.suppress(TimeoutError):
            one.locator(".jp-InputArea-editor").click(timeout=10_000)
            page.keyboard.press("ControlOrMeta+Enter")
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
    said = view.locator("[role=img]").first.get_attribute("aria-label")
    power, spread = re.search(r"power of (\S+)\. .* (\S+) at 512", said).groups()
    assert float(power) > 0
    assert in_python(notebook) == pytest.approx(
        [float(power), float(spread)], abs=0.006
    )


def in_python(page):
    """The power, and the spread at d_k = 512, as the next cell reads them."""
    one = cell(page, "print(figure.values")
    one.locator(".jp-InputArea-editor").click()
    page.keyboard.press("ControlOrMeta+a")
    code = "print('at', *figure.values.values(), figure.compute().spread[-1])"
    page.keyboard.insert_text(code)
    said = run(
        page,
        code,
        lambda one: one.locator(".jp-OutputArea-output").filter(has_text="at 0."),
    )
    return [float(x) for x in said.inner_text().split()[1:]]


# What is folded as exact values has no width until it is opened.
TRACKS = """[...document.querySelectorAll(".aw-panel .noUi-target")].filter(
    one => !one.closest(".widget-accordion, .jupyter-widget-accordion")
).map(one => [
    one.closest(".widget-hslider").querySelector(".widget-label").textContent,
    Math.round(one.getBoundingClientRect().width)])"""
# Labels, readouts and choices that do not fit, and controls that stick out.
CUT = """[...document.querySelectorAll(".aw-panel")].flatMap(panel =>
    [...panel.querySelectorAll(":is(.widget-label, .widget-readout, button)")].filter(
        one => one.scrollWidth > one.clientWidth + 1
            || one.getBoundingClientRect().right > panel.getBoundingClientRect().right
    ).map(one => one.textContent))"""


def test_every_track_is_long_enough_and_no_label_is_cut(browser, lab):
    """In the window of a small laptop, with the list of files open beside."""
    page = opened(browser, lab, ALL, LAPTOP)
    run(page, READY, lambda one: one.get_by_text("the kernel answers"))
    cell(page, "import_module").locator(".jp-InputArea-editor").click()
    page.keyboard.press("ControlOrMeta+Enter")  # once: to draw all of them takes time
    page.locator(".aw-view").nth(len(FIGURES) - 1).wait_for(timeout=240_000)
    tracks = page.evaluate(TRACKS)
    assert len(tracks) > len(FIGURES)
    assert [one for one in tracks if one[1] < SHORTEST] == []
    assert page.evaluate(CUT) == []
    page.context.close()
