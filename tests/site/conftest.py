"""A browser, the built site, and a page that notes all that it should not do."""

import functools
import http.server
import threading

import pytest
from built_site import HTML, WIDE, Watch, uncover


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def site():
    """The address of the built site, served on this machine."""
    assert (HTML / "index.html").exists(), "The site is not built: run `make book`"
    handler = functools.partial(_Quiet, directory=str(HTML))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def open_page(browser, site):
    """A function that opens a page of the site in a context of its own.

    The page's `watch` says what it did wrong; every other host is blocked.
    """
    contexts = []

    def open_it(name, *, home=site, **options):
        context = browser.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        page = context.new_page()
        page.watch = Watch(page, home)
        page.goto(f"{home}/{name}")
        if options.get("java_script_enabled", True):
            page.wait_for_load_state("load")
            if name != "index.html":  # which only sends on
                uncover(page)
        return page

    yield open_it
    for context in contexts:
        context.close()
