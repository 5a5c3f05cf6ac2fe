"""The download with Python inside, opened from a folder in Firefox, with no network.

Before a release, as in Chromium (see `test_python_inside.py`).
"""

import pytest
from firefox_at_hand import firefox, settled
from test_live_code import SAID
from test_python_inside import PATIENCE, RUN_ALL, STATES, folder, pages_with_cells

__all__ = ["firefox", "folder"]  # the fixtures
pytestmark = [
    pytest.mark.long,
    pytest.mark.release,
    pytest.mark.filterwarnings("ignore"),  # of what speaks to Firefox
]
ALL = "[...document.querySelectorAll('div.cell:has(.live-bar)')]"


@pytest.fixture(scope="module")
def offline(firefox):
    """The Firefox, which reaches nothing any more."""
    with firefox.using_context("chrome"):
        firefox.execute_script("Services.io.offline = true")
    return firefox


def ask(driver, function):
    """What a function says of all cells of the page that run."""
    return driver.execute_script(f"return ({function})({ALL})")


@pytest.mark.parametrize("name", pages_with_cells())
def test_every_cell_runs_and_says_what_the_page_shows(offline, folder, name):
    offline.navigate(f"{folder.as_uri()}/{name}")
    said = f"all => all.map({SAID})"
    shown = ask(offline, said)
    assert len(shown) > 0
    offline.execute_script(f"({RUN_ALL})()")
    done = ["done"] * len(shown)
    settled(lambda: {"running", None} & {*ask(offline, STATES)}, set(), PATIENCE)
    assert ask(offline, STATES) == done, ask(offline, said)
    assert ask(offline, said) == shown
    print(f"{name}: {len(shown)} cells")
