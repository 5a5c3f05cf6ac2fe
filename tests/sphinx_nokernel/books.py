"""Helpers: small books, one that is another's, and a host of static files."""

import functools
import http.server
import io
import re
import shutil
import threading
from pathlib import Path

import ipywidgets as w
import nbformat
from ipywidgets.embed import dependency_state
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from small_pages import listen
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from sphinx_nokernel.widget_state import STATE, VIEW

# Small books, built by plain Sphinx, for tests of what a build makes of a page.

SETTINGS = {
    "extensions": ["myst_nb", "sphinx_nokernel"],
    "myst_enable_extensions": ["colon_fence", "dollarmath"],
    "html_theme": "basic",
    "nb_execution_mode": "off",
}


class Book:
    """A folder of sources, and what a build makes of it."""

    def __init__(self, folder):
        self.source, self.out = folder / "source", folder / "out"
        self.folder = folder
        self.source.mkdir(exist_ok=True)
        self.complaints = ""

    def write(self, name, text):
        """Add a file to the sources."""
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return self

    def build(self, builder="html", **settings):
        """Build; return the built first page."""
        said, complaints = io.StringIO(), io.StringIO()
        places = (self.source, None, self.out, self.folder / "trees", builder)
        # An extension adds to Sphinx's own list; the next build would find it changed.
        settings = {**SETTINGS, "exclude_patterns": [], **settings}
        with docutils_namespace():  # as if the process had built nothing before
            app = Sphinx(*places, settings, status=said, warning=complaints)
            app.build()
        self.said, self.complaints = said.getvalue(), complaints.getvalue()
        return self.page("index") if builder == "html" else ""

    def build_and_listen(self, **settings):
        """Build; return what the build's log says."""
        self.build(**settings)
        return self.said

    def page(self, name):
        """Return the HTML of a page."""
        return (self.out / f"{name}.html").read_text(encoding="utf-8")


# The regression book: pages as other people write them.

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


def notebook(*widgets, **forms):
    """Return a stored notebook with a cell for each widget, and other forms of it."""
    forms = forms or {"text/plain": "a widget"}
    cells = [new_markdown_cell("# Widgets")]
    for widget in widgets:
        view = {"model_id": widget.model_id, "version_major": 2, "version_minor": 0}
        output = new_output("display_data", {VIEW: view, **forms})
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


def see_it_lives(browser, index):
    """Look at the example of Sphinx, opened from its folder."""
    page = browser.new_page()
    said = listen(page)
    page.goto(index.as_uri())
    page.evaluate("window.mountWidgets.ready")
    page.get_by_role("slider").first.press("End")
    assert page.get_by_role("img", name="A square of side 9").is_visible()
    assert page.locator("input[type=range]").count() == 1  # the other is covered
    page.get_by_text("It becomes four times as large.", exact=True).first.click()
    page.get_by_role("slider").nth(1).press("Home")
    assert page.get_by_role("img", name="A square of side 1").is_visible()
    page.goto(page.url.replace("index", "questions"))
    page.get_by_text("4 * side", exact=True).first.click()
    assert page.get_by_text("Four sides of the same length.").first.is_visible()
    assert page.get_by_role("button", name="Run cell 1").is_visible()
    page.get_by_text("Show a solution").click()
    assert page.get_by_role("button", name="Run cell 2").is_visible()
    page.close()
    plain = browser.new_page(java_script_enabled=False)
    plain.goto(index.as_uri())
    assert plain.get_by_text("whatever the side").is_visible()
    square = plain.get_by_text("A square of side 3: its area is 9.")
    assert square.first.is_visible()
    plain.close()
    assert said == []


# Hosts that are not there: every request of a page is answered here.

NPM = Path(__file__).resolve().parents[2] / "node_modules" / "pyodide"
HOME, PYTHON = "http://127.0.0.1:9/", "http://127.0.0.1:8/pyodide/"


def file_of(url, site):
    """The file that an address stands for, of a built site or of Pyodide; or None."""
    start = next((one for one in (PYTHON, HOME) if url.startswith(one)), None)
    path = start and {PYTHON: NPM, HOME: site}[start] / url.removeprefix(start)
    return path if path and path.is_file() else None


def fulfill(route, path, more=b""):
    kind = KINDS.get(path.suffix, "application/octet-stream")
    headers = {"access-control-allow-origin": "*"}
    body = path.read_bytes() + more
    return route.fulfill(body=body, content_type=kind, headers=headers)


# A static host of one folder, below /repo/, that can be switched off and on.

ENDED = re.compile("^It ")
KINDS = {".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}
KINDS |= {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
KINDS |= {".wasm": "application/wasm", ".json": "application/json"}


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def guess_type(self, path):
        return KINDS.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, *_):
        pass

    def translate_path(self, path):
        return super().translate_path(path.removeprefix("/repo"))


class Host:
    """Serves a folder until it is switched off; keeps its address."""

    def __init__(self, folder):
        self.folder, self.port = Path(folder), 0
        self.on()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/repo"

    def on(self):
        handler = functools.partial(_Quiet, directory=str(self.folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def off(self):
        self.server.shutdown()
        self.server.server_close()


def press_keep(page):
    """Press the button, and wait until the site is kept or could not be."""
    page.get_by_role("button", name="Keep this site on this device").click()
    said = page.locator("#nk-keep [role=status]")
    said.filter(has_text=ENDED).wait_for(timeout=120_000)
    return said.inner_text()
