"""The same policy in Firefox: figures live under it, and what it forbids is refused.

No Firefox of this decade was found on PyPI or npm (npm has one of 2018, 60, which does
not know `?.`), so `make test` fetches none: $FIREFOX names one, or it is on PATH. Where
there is none, the last lines of the report name these tests, with CI=true too: a run is
never red for what its machine cannot have. One that FIREFOX names has to be there; the
workflow names it, as its machines have one.
"""

import os
import shutil
import time

import pytest
from built_site import HTML
from test_policy import REFUSED

LESSON = "book/03_scaling.html"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.pages(LESSON),
    pytest.mark.filterwarnings("ignore"),  # of what speaks to Firefox
]
NAMES = ("firefox", "firefox-esr")
NONE = (
    "Not run: Firefox, which make test does not fetch. Have it on PATH, or name it "
    "with FIREFOX=/path/to/firefox (Debian: apt install firefox-esr)."
)
LIVE = "return document.querySelectorAll('.nk-live').length"
NOTES = "return document.querySelectorAll('.nk-not-live').length"
LISTEN = """
window.said = [];
document.addEventListener("securitypolicyviolation",
  ({ effectiveDirective }) => window.said.push(effectiveDirective));
"""
SAID = "return [window.said, window.done ?? null]"
# Where no rule of its own is set, the rule that is asked has this name.
ASKED = {"default-src": "frame-src"}


@pytest.fixture(scope="module")
def firefox():
    named = os.environ.get("FIREFOX")
    path = next(filter(None, map(shutil.which, [named] if named else NAMES)), None)
    assert path or not named, f"FIREFOX names no program: {named}"
    if path is None:
        pytest.skip(NONE)
    from marionette_driver.marionette import Marionette

    driver = Marionette(bin=os.path.realpath(path), headless=True, gecko_log=os.devnull)
    driver.start_session()
    yield driver
    driver.quit()
    driver.cleanup()


def settled(look, wanted, seconds=20):
    """Look until it is what it should be, or the time is over."""
    end = time.monotonic() + seconds
    while (found := look()) != wanted and time.monotonic() < end:
        time.sleep(0.1)
    return found


@pytest.mark.parametrize("home", ["served", "folder"])
def test_every_figure_of_a_lesson_lives(firefox, site, home):
    firefox.navigate(f"{site if home == 'served' else HTML.as_uri()}/{LESSON}")
    views = (HTML / LESSON).read_text("utf-8").count("widget-view+json")
    uncover = "for (const one of document.querySelectorAll('.nk-show')) one.click()"
    settled(lambda: firefox.execute_script(LIVE) > 0, True)
    firefox.execute_script(uncover)
    assert settled(lambda: firefox.execute_script(LIVE), views) == views > 0
    assert firefox.execute_script(NOTES) == 0


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_policy_forbids_is_refused(firefox, site, what):
    expression, rule = REFUSED[what]
    firefox.navigate(f"{site}/{LESSON}")

    def run(code):
        return firefox.execute_script(code, sandbox=None)  # in the page's own world

    def refused():
        return any(one.startswith(ASKED.get(rule, rule)) for one in run(SAID)[0])

    run(LISTEN)
    run(expression)
    assert settled(refused, True)
    assert run(SAID)[1] is None
