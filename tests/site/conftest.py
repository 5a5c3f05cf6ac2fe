"""A browser, the built site, and a page that notes all that it should not do."""

import contextlib
import functools
import http.server
import threading

import pytest
from built_site import HTML, WIDE, Watch, resize, uncover

# A module that has one of these looks into the built site, as has what opens a page.
LOOKS = {"HTML", "pages", "real_pages"}


class _NotBuilt(pytest.Item):
    def runtest(self):
        pytest.fail("The site is not built: run `make book` first.", pytrace=False)


def pytest_collection_modifyitems(items):
    """Say in one sentence that the site is not built, not once for each test."""
    looking = [item for item in items if _looks(item)]
    if looking and not (HTML / "index.html").exists():
        parent = looking[0].parent
        items[:] = [item for item in items if not _looks(item)]
        items.append(_NotBuilt.from_parent(parent, name="the_site_is_built"))


def _looks(item):
    fixtures = getattr(item, "fixturenames", ())
    return "site" in fixtures or LOOKS & {*vars(getattr(item, "module", item))}


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def serve():
    """A function that serves a folder on this machine, and returns its address."""
    with contextlib.ExitStack() as stack:

        def serve_it(folder):
            handler = functools.partial(_Quiet, directory=str(folder))
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            stack.callback(stack.enter_context(server).shutdown)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            return f"http://127.0.0.1:{server.server_port}"

        yield serve_it


@pytest.fixture(scope="session")
def site(serve):
    """The address of the built site, served on this machine."""
    return serve(HTML)


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


@pytest.fixture(scope="module")
def visit(browser, site):
    """A function that opens a page once for several tests, which leave it changed."""
    pages = {}

    def of(name, **options):
        if name not in pages:
            context = browser.new_context(**{"viewport": WIDE, **options})
            page = pages[name] = context.new_page()
            page.watch = Watch(page, site)
            page.goto(f"{site}/{name}")
            uncover(page)
        resize(pages[name], WIDE)
        return pages[name]

    yield of
    for page in pages.values():
        page.context.close()
