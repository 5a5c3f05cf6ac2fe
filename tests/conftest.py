"""Fixtures that several rooms share."""

import importlib

import numpy as np
import pytest


@pytest.fixture(params=["numpy", "array_api_strict"])
def xp(request):
    """NumPy, and the library that has the array API standard and nothing else."""
    return importlib.import_module(request.param)


@pytest.fixture
def rng():
    return np.random.default_rng(20170612)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out tests of pages that the book leaves out."""
    if any(item.get_closest_marker("pages") for item in items):
        from listed import leave_out  # needs what `make parity` does not install

        leave_out(config, items)


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a session."""
    from browser import FLAGS, find_browser
    from playwright.sync_api import sync_playwright

    path = find_browser()
    assert path, "No Chromium found: run `python tools/browser.py`, or set BROWSER_PATH"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
