"""The regression book: pages as other people write them."""

import io
import shutil
from pathlib import Path

import ipywidgets as w
import nbformat
from ipywidgets.embed import dependency_state
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from sphinx_nokernel.widget_state import STATE, VIEW

SOURCE = Path(__file__).resolve().parents[2] / "sphinx-nokernel" / "tests" / "book"


class OtherBook:
    """A copy of the book, and what a builder makes of it."""

    def __init__(self, folder, builder="html", before=None, **settings):
        self.source, self.out = folder / "source", folder / "out"
        shutil.copytree(SOURCE, self.source)
        (self.source / "widgets.ipynb").write_text(widgets_notebook(), "utf-8")
        if before:
            before(self)
        said, complaints = io.StringIO(), io.StringIO()
        places = (self.source, self.source, self.out, folder / "trees", builder)
        with docutils_namespace():
            Sphinx(*places, settings, status=said, warning=complaints).build()
        self.said, self.complaints = said.getvalue(), complaints.getvalue()

    def page(self, name):
        """Return a built page."""
        suffix = "xhtml" if (self.out / "mimetype").exists() else "html"
        return (self.out / f"{name}.{suffix}").read_text(encoding="utf-8")


def interact(outputs):
    """What `interact(f, x=10)` saves: a slider, and an Output with what f gave."""
    slider = w.IntSlider(10, -10, 30, description="x")
    output = w.Output()
    box = w.VBox([slider, output], _dom_classes=["widget-interact"])
    box.saved_outputs = {output.model_id: outputs}
    return box


def widgets_notebook():
    """Return a stored notebook with an `interact` and its output."""
    ten = {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "10"}}
    return notebook(interact([ten]))


def notebook(*widgets):
    """Return a stored notebook with a cell for each widget."""
    cells = [new_markdown_cell("# Widgets")]
    for widget in widgets:
        view = {"model_id": widget.model_id, "version_major": 2, "version_minor": 0}
        output = new_output("display_data", {VIEW: view, "text/plain": "a widget"})
        cells.append(new_code_cell("a widget", outputs=[output]))
    made = new_notebook(cells=cells)
    state = dependency_state(widgets, drop_defaults=False)
    for widget in widgets:
        for name, outputs in getattr(widget, "saved_outputs", {}).items():
            state[name]["state"]["outputs"] = outputs
    saved = {"state": state, "version_major": 2, "version_minor": 0}
    made.metadata["widgets"] = {STATE: saved}
    made.metadata["language_info"] = {"name": "python", "pygments_lexer": "python3"}
    return nbformat.writes(made)
