"""A real JupyterLab: figures move, Python reads them, tracks are long, copies read.

It is the JupyterLab of `requirements.txt`, as Binder and `make lab` open it, started
once, with one notebook: a lesson's figure, a third of all figures, and the texts of a
sixth of the copies, in turn. Before a release: what our pages and copies give to it is
looked at in `tests/attncourse/figures` and `tests/book/test_copies.py`.
"""

import contextlib
import json
import os
import re

import nbformat
import pytest
from built_site import ROOT, turn
from lab_server import serve_lab
from playwright.sync_api import TimeoutError

from sphinx_nokernel.export.notebooks import METADATA

pytestmark = [pytest.mark.long, pytest.mark.release]

LESSON, ALL = "03_scaling.ipynb", "all.ipynb"
LAPTOP = {"width": 1280, "height": 800}
SHORTEST = 200  # pixels of a slider's track
# What trains before it is drawn has controls like those of others.
TRAIN = {"training", "train_copying", "copying_heads"}
NAMES = {path.parent.name for path in ROOT.glob("course/*/figures/*/live.py")} - TRAIN
FIGURES = turn(sorted(NAMES), 3)
OF_LESSON = ("figure = live.", "print(figure.values")
READY = "print('the', 'kernel', 'answers')"
DRAW_ALL = """from importlib import import_module
import ipywidgets
ipywidgets.VBox([
    import_module(f"attncourse.figures.{name}.live").panel() for name in %s
])"""
# A cell that is run before there is a kernel is forgotten, or a dialog asks for one.
ACCEPT = ".jp-Dialog .jp-mod-accept"
IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]"


# All cells at once (unless told, JupyterLab draws no more than is seen), without an
# extension that an environment made for older requirements may still have, and with
# formulas as they are typed: to set them takes long, and nothing here looks at them.
SETTINGS = {
    "default_setting_overrides.json": {
        "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}
    },
    "page_config.json": {
        "disabledExtensions": {
            "jupyterlab-myst": True,
            "@jupyterlab/mathjax-extension": True,
        }
    },
}


@pytest.fixture(scope="module")
def texts(plain_copies):
    """The Markdown cells of plain copies."""
    copies = turn(plain_copies, 6)
    notebooks = [nbformat.reads(text, as_version=4) for _, text in copies]
    cells = [cell for one in notebooks for cell in one.cells]
    return [cell.source for cell in cells if cell.cell_type == "markdown"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory, texts):
    """The address of a server with the notebook."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "config" / "labconfig").mkdir(parents=True)
    for name, settings in SETTINGS.items():
        (folder / "config" / "labconfig" / name).write_text(json.dumps(settings))
    lesson = nbformat.read(ROOT / "book" / LESSON, as_version=4).cells
    code = [one for one in lesson if one.cell_type == "code"]
    cells = [one for one in code if any(part in one.source for part in OF_LESSON)]
    cells += map(nbformat.v4.new_code_cell, (READY, DRAW_ALL % FIGURES))
    cells += map(nbformat.v4.new_markdown_cell, texts)
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=METADATA)
    nbformat.write(notebook, folder / ALL)
    options = ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with serve_lab(folder, folder, isolated(folder), *options) as address:
        yield address


def isolated(folder):
    """The environment of a user who has never opened JupyterLab."""
    homes = {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
    }
    return {**homes, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'course'}"}


@pytest.fixture(scope="module")
def notebook(browser, lab):
    """The notebook in JupyterLab, in the window of a small laptop, with nothing run."""
    page = browser.new_context(viewport=LAPTOP).new_page()
    page.goto(f"{lab}/lab/tree/{ALL}?reset")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=240_000)
    page.locator(IDLE).first.wait_for(timeout=240_000)
    yield page
    page.context.close()


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
    view = run(notebook, OF_LESSON[0], lambda one: one.locator(".aw-view"))
    figure = cell(notebook, OF_LESSON[0])
    before = view.inner_html()
    figure.locator("[role=slider]").last.focus()
    notebook.keyboard.press("ArrowRight")
    notebook.wait_for_function(
        "before => document.querySelector('.aw-view').innerHTML !== before", arg=before
    )
    said = view.locator("[role=img]").first.get_attribute("aria-label")
    power, spread = re.search(r"power ([\d.]+\d):.* by (\S+) at 512", said).groups()
    assert float(power) > 0
    assert in_python(notebook) == pytest.approx(
        [float(power), float(spread)], abs=0.006
    )


def in_python(page):
    """The power, and the spread at d_k = 512, as the next cell reads them."""
    one = cell(page, OF_LESSON[1])
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


def test_every_track_is_long_enough_and_no_label_is_cut(notebook):
    """With the list of files open beside."""
    page, before = notebook, notebook.locator(".aw-view").count()
    run(page, READY, lambda one: one.get_by_text("the kernel answers"))
    cell(page, "import_module").locator(".jp-InputArea-editor").click()
    page.keyboard.press("ControlOrMeta+Enter")  # once: to draw all of them takes time
    last = page.locator(".aw-view").nth(before + len(FIGURES) - 1)
    last.wait_for(timeout=240_000)
    tracks = page.evaluate(TRACKS)
    assert len(tracks) > len(FIGURES) / 2
    assert [one for one in tracks if one[1] < SHORTEST] == []
    assert page.evaluate(CUT) == []


MARK = re.compile(
    r"Unknown (Directive|Role)|:::|(?<!\$)\{[A-Za-z][\w:.-]*\}`|</?(details|summary)"
)
READ = "[...document.querySelectorAll('.jp-MarkdownCell .jp-RenderedMarkdown')]"
ALL_READ = f"count => {READ}.filter(one => one.textContent).length === count"
SHOWN = f"""{READ}.map(one => {{
    const words = one.cloneNode(true);
    words.querySelectorAll("pre").forEach(code => code.remove());
    return words.textContent;
}})"""
FOLDS = f"""{READ}.map(one => [...one.querySelectorAll("details")]
    .map(fold => [fold.open, fold.querySelectorAll("summary").length]))"""


def test_every_copy_reads_as_intended(notebook, texts):
    notebook.wait_for_function(ALL_READ, arg=len(texts), timeout=240_000)
    shown, folds = notebook.evaluate(SHOWN), notebook.evaluate(FOLDS)
    assert [text for text in shown if MARK.search(text)] == []
    for text, found in zip(texts, folds, strict=True):
        assert found == [[False, 1]] * text.count("<details"), text
