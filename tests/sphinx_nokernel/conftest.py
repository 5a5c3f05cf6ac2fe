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
