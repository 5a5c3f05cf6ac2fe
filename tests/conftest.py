"""One browser for all tests of a session."""

import pytest


@pytest.fixture(scope="session")
def browser():
    from browser import FLAGS, find_browser
    from playwright.sync_api import sync_playwright

    path = find_browser()
    assert path, "No Chromium found: run `python tools/browser.py`, or set BROWSER_PATH"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
