"""Python in the page: Run, Edit, Reset and Stop on code cells, with no server.

Pages with cells that can run (all but those tagged `no-live`) get `live-code.js` and
its style, a few kilobytes. At the first Run that script starts a worker, which fetches
Pyodide, a Python for browsers, from the address `nokernel_pyodide`, and from this site
the packages of `nokernel_wheels`.
"""

import re
from pathlib import Path

import nbformat
from docutils import nodes

from .config import DIGESTS, PYODIDE
from .solutions import without_solutions

VERSION = re.compile(r"(?<=[/v-])\d+\.\d+\.\d+(?=/)")


def name_cells(app, document):
    """Give each code cell its id in the notebook: edits are kept under that name."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    text = path.read_text(encoding="utf-8")
    if not app.config.nokernel_solutions:
        text = without_solutions(text, path.suffix)
    notebook = nbformat.reads(text, as_version=4)
    for cell in code_cells(document):
        cell["ids"].append(f"cell-{notebook.cells[cell['cell_index']].id}")


def code_cells(doctree):
    """Find the code cells of a page."""
    return [
        node
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "cell_code"
    ]


def runs(cell):
    """Say whether a reader can run this cell in the page."""
    shown = any(node.get("nb_element") == "cell_code_source" for node in cell.children)
    return "tag_no-live" not in cell["classes"] and shown


def digests(config):
    """Return what Pyodide's files are compared with; nothing known of another release.

    `nokernel_pyodide_digests` holds those of the release that `nokernel_pyodide` names
    when nothing is set. An address that names another version needs its own.
    """
    ours, named = VERSION.search(PYODIDE), VERSION.search(config.nokernel_pyodide)
    if named and named[0] != ours[0] and config.nokernel_pyodide_digests == DIGESTS:
        return {}
    return config.nokernel_pyodide_digests


def load_live_code(app, page):
    """Add the script to pages with cells that run."""
    config = app.config
    if not (config.nokernel_live_code and page.doctree):
        return
    if any(map(runs, code_cells(page.doctree))):
        options = {"data-pyodide": config.nokernel_pyodide}
        options["data-digests"] = " ".join(
            f"{name}={digest}" for name, digest in digests(config).items()
        )
        wheels = app.nokernel_wheels.values()
        options["data-wheels"] = " ".join(wheel.name for wheel in wheels)
        options["data-imports"] = " ".join(
            f"{pattern}={needed}" for pattern, needed in config.nokernel_imports.items()
        )
        app.add_css_file("nokernel/live-code.css")
        app.add_js_file("nokernel/live-code.js", loading_method="defer", **options)
