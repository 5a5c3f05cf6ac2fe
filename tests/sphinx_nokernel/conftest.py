"""A book in a folder of its own, and small pages in the one browser."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import cells
import pytest


@pytest.fixture
def book(tmp_path):
    return import_module("books").Book(tmp_path)  # with Sphinx: only where it is used


@pytest.fixture(scope="module")
def folder(request, tmp_path_factory):
    """What a build makes of a module's PAGE."""
    book = import_module("books").Book(tmp_path_factory.mktemp("page"))
    book.write("index.md", request.module.PAGE)
    book.build(html_theme="alabaster")
    assert book.complaints == ""
    return book.out


@pytest.fixture
def page(open_folder, folder):
    """The page of a module's folder, opened anew."""
    return open_folder(folder)


@pytest.fixture(scope="session")
def other(tmp_path_factory):
    """The book that is written as other people write theirs."""
    return import_module("books").OtherBook(tmp_path_factory.mktemp("other"))


@pytest.fixture
def run():
    """A function that runs a cell as a page does: how it ended, and what it put out."""
    kept = {name: sys.modules[name] for name in sys.modules if "IPython" in name}
    said = []
    space = cells.Cells(lambda kind, text: said.append((kind, text)))

    def run_it(source, name="cell 1"):
        said.clear()
        # In a thread: the tests' browser keeps an event loop running in this one.
        with ThreadPoolExecutor(1) as thread:
            ran = thread.submit(asyncio.run, space.run(source, name))
            return ran.result(), list(said)

    yield run_it
    for name in [name for name in sys.modules if "IPython" in name]:
        del sys.modules[name]
    sys.modules.update(kept)


@pytest.fixture(scope="session")
def small_pages(browser, tmp_path_factory):
    from small_pages import SmallPages

    with SmallPages(browser, tmp_path_factory.mktemp("pages")) as pages:
        yield pages


@pytest.fixture
def load(small_pages):
    """A function that opens a small page; what it opened is closed afterwards."""
    yield small_pages.load
    small_pages.close()


@pytest.fixture
def open_folder(browser):
    """A function that opens the first page of a built folder, from the disk.

    `page.said` holds every error and warning on it, and each request beyond the disk.
    """
    from small_pages import listen

    contexts = []

    def open_it(folder, *, fragment="", setup="", block=None, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.said = listen(page)
        page.add_init_script(setup)
        if block:
            page.route(block, lambda route: route.abort())
        page.goto((folder / "index.html").as_uri() + fragment)
        if options.get("java_script_enabled", True) and not block:
            page.evaluate("window.mountWidgets?.ready")
        return page

    yield open_it
    for context in contexts:
        context.close()
