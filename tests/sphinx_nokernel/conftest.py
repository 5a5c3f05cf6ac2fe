"""A book in a folder of its own, and small pages in the one browser."""

import pytest
from books import Book


@pytest.fixture
def book(tmp_path):
    return Book(tmp_path)


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
