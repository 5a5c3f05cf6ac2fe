"""A built page in a browser: its widgets, its errors, and cells that run.

No request leaves the machine: requests to a content network are answered from FILES, a
folder with `pyodide` and `node_modules` (html-manager, requirejs, mathjax and whatever
else the pages name); anything that is not there gets an empty answer.
"""

import functools
import re
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

VIEWS = 'script[type="application/vnd.jupyter.widget-view+json"]'
# A view is shown if something beside it takes up space; a note is not a widget.
SHOWN = """tags => tags.filter((tag) =>
  [...tag.parentElement.querySelectorAll(".jupyter-widgets, .nk-live")].some((node) =>
    node.getBoundingClientRect().height > 0 || node.closest("details:not([open])"))
  ).length"""
NPM = re.compile(
    r"https://(?:cdn\.jsdelivr\.net/npm|unpkg\.com)/((?:@[^/]+/)?[^@/]+)[^/]*/(.+)"
)
REQUIRE = re.compile(r"require(?:\.min)?\.js$")
PYODIDE = re.compile(r"https://cdn\.jsdelivr\.net/pyodide/[^/]+/full/(.+)")
DONE = "done|error|failed"


class Quiet(SimpleHTTPRequestHandler):
    """A request handler that logs nothing."""

    def log_message(self, *_):
        """Log nothing."""


@contextmanager
def served(folder):
    """Serve a folder on this machine; yield its address."""
    handler = functools.partial(Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def local(files, url):
    """Return the local file for an address, or None."""
    if match := PYODIDE.match(url):
        return files / "pyodide" / match[1]
    if REQUIRE.search(url):
        return files / "node_modules" / "requirejs" / "require.js"
    if match := NPM.match(url):
        path = files / "node_modules" / match[1] / match[2].split("?")[0]
        return next((one for one in (path, Path(f"{path}.js")) if one.is_file()), None)
    return None


class Browser:
    """A browser that opens one built site after another."""

    def __init__(self, files, executable):
        self.files = Path(files)
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=executable)

    def close(self):
        """End it."""
        self.browser.close()
        self.playwright.stop()

    def _answer(self, route):
        url = route.request.url
        if url.startswith(("http://127.0.0.1", "blob:", "data:")):
            # The local files differ from those whose digests the pages name.
            if route.request.resource_type != "document":
                return route.continue_()
            response = route.fetch()
            body = re.sub(r'\bintegrity="[^"]*"', "", response.text())
            return route.fulfill(response=response, body=body)
        path = local(self.files, url)
        if path and path.is_file():
            return route.fulfill(
                path=path, headers={"Access-Control-Allow-Origin": "*"}
            )
        return route.fulfill(body="", headers={"Access-Control-Allow-Origin": "*"})

    @contextmanager
    def page(self, address):
        """Open a page; return it and the errors that it reports."""
        context = self.browser.new_context()
        context.route("**/*", self._answer)
        page, errors = context.new_page(), []
        page.on("pageerror", lambda error: errors.append(str(error)[:300]))
        page.on(
            "console",
            lambda m: errors.append(m.text[:300]) if m.type == "error" else None,
        )
        page.goto(address, wait_until="load", timeout=60_000)
        page.wait_for_timeout(500)
        if page.locator(VIEWS).count():
            page.wait_for_timeout(3_000)
        yield page, errors
        context.close()

    def look(self, address):
        """Return a page's views, how many of them are shown, and its errors."""
        with self.page(address) as (page, errors):
            views = page.locator(VIEWS)
            return {
                "views": views.count(),
                "shown": views.evaluate_all(SHOWN),
                "errors": sorted(errors),
            }

    def run_cells(self, address):
        """Press every Run of a page; return how each cell ended."""
        with self.page(address) as (page, _):
            cells = page.locator("div.cell.nk-runs")
            return [self._run(page, cells.nth(i)) for i in range(cells.count())]

    def _run(self, page, cell):
        try:
            cell.get_by_role("button", name=re.compile("^Run")).first.evaluate(
                "b => b.click()"
            )
            page.wait_for_function(
                f"cell => /^({DONE})$/.test(cell.dataset.live)",
                arg=cell.element_handle(),
                timeout=120_000,
            )
        except Error as error:
            return f"no end: {str(error)[:100]}"
        state = cell.get_attribute("data-live")
        if state == "done":
            return "done"
        said = cell.locator(".live-status").inner_text()
        traces = cell.locator(".traceback").all_inner_texts()
        return f"{state}: {said} {(traces or [''])[-1].strip().splitlines()[-1:]}"
