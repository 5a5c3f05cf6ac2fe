"""The plain copies in a real JupyterLab: every one reads as intended.

It is the JupyterLab of `requirements.txt`, as Binder and `make lab` open it.
"""

import json
import re

import export
import nbformat
import pytest
from built_site import WIDE
from lab_server import serve_lab

MARK = re.compile(
    r"Unknown (Directive|Role)|:::|(?<!\$)\{[A-Za-z][\w:.-]*\}`|</?(details|summary)"
)
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
def lab(tmp_path_factory):
    """The address of a JupyterLab server with the copies of all lessons."""
    folder = tmp_path_factory.mktemp("copies")
    export.write_copies(folder / "lessons")
    (folder / "labconfig").mkdir()
    for name, settings in SETTINGS.items():
        (folder / "labconfig" / name).write_text(json.dumps(settings))
    places = dict.fromkeys(("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"), str(folder))
    option = "--LabApp.expose_app_in_browser=True"
    with serve_lab(folder, folder / "lessons", places, option) as address:
        yield address


PANEL = "document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)')"
OPEN = """async path => { window.opened = await jupyterapp.commands.execute(
    "docmanager:open", { path, factory: "Notebook" }); }"""
CLOSE = "() => window.opened.dispose()"
ALL_READ = f"""count => {{
    const found = [...({PANEL}?.querySelectorAll(".jp-MarkdownCell") ?? [])]
        .filter(one => one.querySelector(".jp-RenderedMarkdown")?.textContent);
    return found.length === count;
}}"""
TEXT = f"""[...{PANEL}.querySelectorAll(".jp-RenderedMarkdown")]
    .map(one => one.textContent).join("\\n")"""
FOLDS = f"""[...{PANEL}.querySelectorAll(".jp-RenderedMarkdown details")]
    .map(one => [one.open, one.querySelectorAll("summary").length])"""


def test_every_copy_reads_as_intended(browser, lab):
    page = browser.new_context(viewport=WIDE).new_page()
    # No kernel for any: nothing is run, and two dozen would be too many.
    page.route(re.compile("/api/sessions"), lambda route: route.abort())
    page.goto(f"{lab}/lab?reset")
    page.wait_for_function("window.jupyterapp?.restored", timeout=240_000)
    for place, text in export.copies():
        name = str(place)
        cells = nbformat.reads(text, as_version=4).cells
        markdown = [cell.source for cell in cells if cell.cell_type == "markdown"]
        page.evaluate(OPEN, name)
        page.wait_for_function(ALL_READ, arg=len(markdown), timeout=120_000)
        shown = page.evaluate(TEXT)
        assert not MARK.search(shown), (name, MARK.search(shown))
        folds = "".join(markdown).count("<details")
        assert page.evaluate(FOLDS) == [[False, 1]] * folds, name
        page.evaluate(CLOSE)
    page.context.close()
