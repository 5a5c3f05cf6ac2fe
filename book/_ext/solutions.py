"""Fold the solutions of exercises, or leave them out.

A code cell with the tag `solution` is executed and checked like any other, and shown
in a fold. With the environment variable SOLUTIONS=0 it is left out of the pages and of
the notebooks that pages offer for download: `SOLUTIONS=0 make book`.
"""

import os
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

TAG = "solution"


class solution(nodes.General, nodes.Element):
    """A fold around one cell."""


class FoldSolutions(SphinxPostTransform):
    """Put each solution into a fold, or take it out."""

    default_priority = 2
    formats = ("html",)

    def run(self, **_):
        """Rewrite the cells of one page."""
        for cell in list(self.document.findall(nodes.container)):
            if f"tag_{TAG}" in cell["classes"]:
                fold = [solution("", cell.deepcopy())] if self.config.solutions else []
                cell.replace_self(fold)


def without_solutions(notebook):
    """Return the notebook without its solution cells."""
    cells = notebook.cells
    notebook.cells = [c for c in cells if TAG not in c.metadata.get("tags", [])]
    return notebook


def _clean_downloads(app, exception):
    """Take the solutions out of the notebooks that pages offer for download."""
    if exception is None and not app.config.solutions:
        for path in Path(app.outdir, "_sources").rglob("*.ipynb"):
            notebook = without_solutions(nbformat.read(path, as_version=4))
            nbformat.write(notebook, path)


def _open(self, _):
    self.body.append('<details class="aw-solution"><summary>Show a solution</summary>')


def _close(self, _):
    self.body.append("</details>\n")


def setup(app):
    """Register with Sphinx."""
    wanted = os.environ.get("SOLUTIONS", "1") != "0"
    app.add_config_value("solutions", wanted, "env", types=[bool])
    app.add_node(solution, html=(_open, _close))
    app.add_post_transform(FoldSolutions)
    app.connect("build-finished", _clean_downloads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
