"""Read a page's cells: their names, their language, and which can run.

Edits are kept under a cell's name: its id in the notebook or, where it has none (text
in Markdown, notebooks before nbformat 4.5), a name made from its source. So an edit
never shows in another cell, even when the author moves cells about.

Cells that the page does not show (`remove-cell`, `remove-input`) are sent along as
data, for the cells that build on them. Cells in languages other than Python are left
alone.
"""

import hashlib
import re
from collections import Counter
from pathlib import Path

import nbformat
from docutils import nodes
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from sphinx.errors import ExtensionError
from sphinx.util import logging

from .data_files import files_named
from .nodes import hidden_cell

# The settings `live_code` and `widgets`, which a page may override.
#
# A page sets them in its front matter or, for a notebook, in the metadata:
#
#     nokernel:
#       live_code: tagged
#       widgets: false

ALLOWED = {
    "live_code": (True, False, "tagged"),
    "widgets": (True, False, "always"),
}


def check_choices(app, config):
    """Check the book's settings against the allowed values."""
    for name in ALLOWED:
        checked(f"nokernel_{name}", config[f"nokernel_{name}"], ALLOWED[name])


def checked(place, value, allowed):
    """Return the value if it is allowed.

    Raises
    ------
    ExtensionError
        If it is not.
    """
    if not any(value is one or value == one == str(one) for one in allowed):
        known = ", ".join(map(repr, allowed))
        raise ExtensionError(f"{place} must be one of {known}, got {value!r}")
    return value


def wanted(app, metadata, name):
    """Return a page's choice of `live_code` or `widgets`, or else the book's."""
    own = metadata.get("nokernel") or {}
    if name not in own:
        return app.config[f"nokernel_{name}"]
    return checked(f"{app.env.docname}: nokernel.{name}", own[name], ALLOWED[name])


logger = logging.getLogger(__name__)

NO_LIVE, LIVE = "no-live", "live"
RUNS = "nk-runs"  # the class of cells that get buttons
PYTHON = re.compile(r"i?python|(^|\W)py|pyodide", re.IGNORECASE)


def read_cells(app, document):
    """Name a page's code cells, mark those that can run, and record needed files."""
    shown = code_cells(document)
    notebook = _notebook(app.env) if shown else None
    if notebook is None:
        return
    names = cell_names(notebook, app.env.doc2path(app.env.docname))
    for cell in shown:
        cell["ids"].append(f"cell-{names[cell['cell_index']]}")
    widgets = wanted(app, notebook.metadata, "widgets")
    app.env.metadata[app.env.docname]["nokernel_widgets"] = widgets
    choice = wanted(app, notebook.metadata, "live_code")
    if choice is False:
        return
    if not is_python(language := kernel_language(notebook)):
        logger.info(
            "%s: its cells are for %s; they get no Run", app.env.docname, language
        )
        return
    _mark(shown, notebook, choice)
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    files = (
        files_named(app, sources) if any(RUNS in c["classes"] for c in shown) else []
    )
    app.env.metadata[app.env.docname]["nokernel_files"] = files


def code_cells(doctree):
    """Find the code cells of a page."""
    return [
        node
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "cell_code"
    ]


def runs(cell, choice):
    """Say whether a reader can run this cell in the page."""
    shown = any(node.get("nb_element") == "cell_code_source" for node in cell.children)
    asked = choice is True or f"tag_{LIVE}" in cell["classes"]
    return shown and asked and f"tag_{NO_LIVE}" not in cell["classes"]


def _mark(shown, notebook, choice):
    """Mark the cells that can run, each preceded by the hidden ones before it."""
    running = {cell["cell_index"]: cell for cell in shown if runs(cell, choice)}
    waiting = []
    for index, cell in enumerate(notebook.cells):
        tags = set(cell.metadata.get("tags", []))
        if here := running.get(index):
            here["classes"].append(RUNS)
            place = here.parent.index(here)
            here.parent.insert(place, waiting)
            waiting = []
        elif cell.cell_type == "code" and NO_LIVE not in tags:
            waiting.append(hidden_cell(source=cell.source))


def _notebook(env):
    """Return the notebook that myst-nb made of this page, or None."""
    *folder, name = env.docname.split("/")
    path = Path(env.mystnb_config.output_folder, *folder, f"{name}.ipynb")
    if not path.is_file():
        return None
    return nbformat.reads(path.read_text(encoding="utf-8"), nbformat.NO_CONVERT)


def cell_names(notebook, path):
    """Return a name for each cell, the same in every build."""
    seen, names = Counter(), []
    for cell in notebook.cells:
        name = cell.get("id") if str(path).endswith(".ipynb") else None
        if not name:
            digest = hashlib.sha256(cell.source.encode()).hexdigest()[:10]
            seen[digest] += 1
            name = digest + (f"-{seen[digest]}" if seen[digest] > 1 else "")
        names.append(name)
    return names


def kernel_language(notebook):
    """Return the language of a notebook's kernel, or else the kernel's name."""
    kernel = notebook.metadata.get("kernelspec", {})
    info = notebook.metadata.get("language_info", {})
    known = [info.get("name"), kernel.get("language")]
    return next(filter(None, known), None) or _installed(kernel.get("name"))


def _installed(kernel):
    """Return the language of an installed kernel, or else its name."""
    try:
        return KernelSpecManager().get_kernel_spec(kernel).language or kernel
    except (NoSuchKernel, TypeError):
        return kernel or "python3"  # myst-nb's default


def is_python(language):
    """Say whether a language, or a kernel of unknown language, is Python."""
    return bool(PYTHON.search(language))
