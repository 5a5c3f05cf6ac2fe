"""Python in the page: Run, Edit, Reset and Stop on code cells, with no server.

Pages with cells that can run (all but those tagged `no-live`) get `live-code.js`, the
scripts it needs, and their style: a few kilobytes. At the first Run, `page-python.js`
starts a worker, which fetches Pyodide, a Python for browsers, from the address
`nokernel_pyodide`, and the packages of `nokernel_wheels` from this site.
"""

import json
import posixpath
import re
from urllib.parse import urljoin

from docutils import nodes

from .config import DIGESTS, PYODIDE
from .data_files import files_of
from .pages import pages_in
from .read_cells import RUNS, code_cells

# In the order in which they run; the first carries the page's settings.
NAMES = ("page-python", "cell-outputs", "cell-editor", "live-code")
SCRIPTS = tuple(f"nokernel/{name}.js" for name in NAMES)
VERSION = re.compile(r"(?<=[/v-])\d+\.\d+\.\d+(?=/)")


def digests(config):
    """Return the digests of Pyodide's files, or none for an unknown release.

    The default of `nokernel_pyodide_digests` fits that of `nokernel_pyodide`; the
    address of another version needs digests of its own.
    """
    ours, named = VERSION.search(PYODIDE), VERSION.search(config.nokernel_pyodide)
    if (
        ours
        and named
        and named[0] != ours[0]
        and config.nokernel_pyodide_digests == DIGESTS
    ):
        return {}
    return config.nokernel_pyodide_digests


def _seen_from(page, address):
    """Return an address relative to a page; a path starts at the site's root."""
    if re.match(r"[a-z]+:|/", address):
        return address
    return page.context["pathto"](address, resource=True)


def has_cells(page):
    """Say whether a page has cells that run."""
    cells = code_cells(page.doctree) if page.doctree else ()
    return any(RUNS in cell["classes"] for cell in cells)


def load_live_code(app, page):
    """Add the scripts and their style to pages with cells that run."""
    config = app.config
    if has_cells(page):
        options = {"data-pyodide": _seen_from(page, config.nokernel_pyodide)}
        options["data-digests"] = " ".join(
            f"{name}={digest}" for name, digest in digests(config).items()
        )
        wheels = app.nokernel_wheels.values()
        options["data-wheels"] = " ".join(wheel.name for wheel in wheels)
        options["data-imports"] = " ".join(
            f"{pattern}={needed}" for pattern, needed in config.nokernel_imports.items()
        )
        if files := files_of(app.env, pages_in(app, page.name)):
            options["data-files"] = json.dumps(files)
        if folder := posixpath.dirname(page.name):
            options["data-folder"] = folder
        if zipped := config.nokernel_inside:
            options["data-inside"] = posixpath.basename(zipped)
            if config.html_baseurl:
                options["data-inside-at"] = urljoin(config.html_baseurl, zipped)
        app.add_css_file("nokernel/live-code.css")
        app.add_js_file(SCRIPTS[0], loading_method="defer", **options)
        for script in SCRIPTS[1:]:
            app.add_js_file(script, loading_method="defer")


# The browser's memory of guesses and, if the book wants it, of edited cells.
#
# It is one object in the browser's localStorage, kept by `memory.js` and never sent
# anywhere. Guesses, and whether all code is shown, are always kept; with
# `nokernel_remember`, so is the text of edited cells, until Reset (`kept-cells.js`).

KEPT = ("nk-predict", "nk-challenge", "nk-code-switch")


def load_memory(app, page):
    """Add the scripts, before those that use them."""
    cells = app.config.nokernel_remember and has_cells(page)
    if cells or any(name in page.body for name in KEPT):
        options = {"data-page": page.name}
        app.add_js_file("nokernel/memory.js", loading_method="defer", **options)
    if cells:
        app.add_js_file("nokernel/kept-cells.js", loading_method="defer")


# With `nokernel_code_switch`, one switch shows all code that a page hides.
#
# Without it, myst-nb puts a line of its own in place of each cell that is tagged
# `hide-input` or `hide-cell`. A fold that has a name of its own, from
# `code_prompt_show` in the metadata of its cell, and one of an output (`hide-output`)
# stay where they are: a reader is meant to open them. Without JavaScript all lines
# stay, and on paper all code is shown.

HIDDEN = "nk-hidden-code"
MODES = ("all", "input", "input+output")
# The script writes the button: no other reader of the page hears of it.
SWITCH = '<p class="nk-code-switch" data-cells="{}"></p>\n'


def mark_hidden_code(app, document):
    """Mark the cells whose code is hidden, and put the switch below the title."""
    title = next(document.findall(nodes.title), None)
    if not app.config.nokernel_code_switch or title is None:
        return
    cells = [cell for cell in code_cells(document) if _is_hidden(app, cell)]
    for cell in cells:
        cell["classes"].append(HIDDEN)
    if cells:
        switch = nodes.raw("", SWITCH.format(len(cells)), format="html")
        title.parent.insert(title.parent.index(title) + 1, switch)


def _is_hidden(app, cell):
    named = cell.get("prompt_show") != app.config.nb_code_prompt_show
    return cell.get("hide_mode") in MODES and not named


def load_hidden_code(app, page):
    """Add the script and the style to pages with the switch."""
    if HIDDEN in page.body:
        app.add_css_file("nokernel/hidden-code.css")
        app.add_js_file("nokernel/hidden-code.js", loading_method="defer")
