"""A small book in a folder of its own."""

import pytest
from books import Book


@pytest.fixture
def book(tmp_path):
    return Book(tmp_path)
