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


@pytest.fixture(scope="session")
def plain_copies():
    """The place and the text of each page's plain copy, made once for all readers."""
    import export

    return [*export.copies()]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out tests of pages that the book leaves out."""
    if any(item.get_closest_marker("pages") for item in items):
        from listed import leave_out  # needs what `make parity` does not install

        leave_out(config, items)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    """End with what was not run for want of something, and how to get it."""
    skipped = terminalreporter.stats.get("skipped", [])
    lacking = [one for one in skipped if "Not run: " in str(one.longrepr)]
    for reason in dict.fromkeys(one.longrepr[2] for one in lacking):
        found = [one.nodeid for one in lacking if one.longrepr[2] == reason]
        tests = f"{len(found)} test{'s' * (len(found) > 1)}"
        files = sorted({nodeid.partition("::")[0] for nodeid in found})
        terminalreporter.section("not run", sep="─")
        terminalreporter.write_line(
            f"{tests}, for want of: {reason.partition('Not run: ')[2]}"
        )
        terminalreporter.write_line(f"In {', '.join(files)}.")


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a session."""
    from browser import ALONE, FLAGS, find_browser
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # as Playwright waits for all else
    path = find_browser()
    assert path, "No Chromium found: run `python tools/browser.py`, or set BROWSER_PATH"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, ALONE])
        yield browser
        browser.close()
