"""Which pages the book has: those that `_toc.yml` lists. A fork may list fewer.

A test of one page names it, as in `@pytest.mark.pages("book/03_scaling.html")`, and is
collected only in a book that lists it. What is listed is tested, built or not.
"""

import pytest
import yaml
from built_site import ROOT
from export import order

LEFT_OUT = pytest.StashKey()


def listed(root=ROOT):
    """The pages in their order, as `book/03_scaling`."""
    return order(yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")))


def leave_out(config, items):
    """Take out the tests of pages that the book does not list; note their names."""
    here = set(listed(config.rootpath))
    gone = [item for item in items if not _named(item) <= here]
    items[:] = [item for item in items if _named(item) <= here]
    config.stash[LEFT_OUT] = [item.nodeid for item in gone]
    if gone:
        config.hook.pytest_deselected(items=gone)


def _named(item):
    marks = item.iter_markers("pages")
    return {name.removesuffix(".html") for mark in marks for name in mark.args}
