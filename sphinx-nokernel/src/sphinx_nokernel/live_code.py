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
