"""A test of a page is collected if the book lists the page, and only then."""

from types import SimpleNamespace

import pytest
from listed import LEFT_OUT, leave_out

TOC = """
root: book/index
parts: [{chapters: [{file: book/one, sections: [{file: book/puzzles/three}]}]}]
"""
TESTS = {  # the pages that each names
    "of a listed page": ["book/one.html"],
    "of one below it": ["book/puzzles/three.html"],
    "of another": ["book/two.html"],
    "of both": ["book/one.html", "book/two.html"],
    "of none": [],
}


def test_tests_of_pages_that_are_not_listed_are_left_out_and_noted(tmp_path):
    """Built or not: one that is listed and not built fails."""
    (tmp_path / "_toc.yml").write_text(TOC)
    items = [
        SimpleNamespace(nodeid=name, iter_markers=lambda _, pages=pages: marks(pages))
        for name, pages in TESTS.items()
    ]
    told, stash = [], {}
    hook = SimpleNamespace(pytest_deselected=lambda items: told.extend(items))
    leave_out(SimpleNamespace(rootpath=tmp_path, stash=stash, hook=hook), items)
    kept = ["of a listed page", "of one below it", "of none"]
    assert [one.nodeid for one in items] == kept
    assert stash[LEFT_OUT] == [one.nodeid for one in told] == ["of another", "of both"]


def marks(pages):
    return [pytest.mark.pages(*pages).mark] if pages else []
