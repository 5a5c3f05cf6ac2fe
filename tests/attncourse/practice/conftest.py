"""A fixture for the tests of answers."""

import gc

import pytest


@pytest.fixture(scope="module", autouse=True)
def _nothing_left_to_collect():
    """Collect what earlier files left, databases of jupyter-cache among it.

    Otherwise the collector may come by while an answer calls itself without end. There
    the warning of an open database has no stack left, and fails with another error.
    """
    gc.collect()
