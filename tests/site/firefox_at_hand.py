"""The Firefox for its tests, where this machine has one, and who speaks to it.

No Firefox of this decade was found on PyPI or npm (npm has one of 2018, 60, which does
not know `?.`), so `make test` fetches none: $FIREFOX names one, or it is on PATH. Where
there is none, the last lines of the report name its tests, with CI=true too: a run is
never red for what its machine cannot have. One that FIREFOX names has to be there; the
workflow names it, as its machines have one.
"""

import os
import shutil
import time
from pathlib import Path

import pytest

NAMES = ("firefox", "firefox-esr")
PLACES = ("/usr/lib", "/opt")  # where what a script on PATH starts may lie
NONE = (
    "Not run: Firefox, which make test does not fetch. Have it on PATH, or name it "
    "with FIREFOX=/path/to/firefox (Debian: apt install firefox-esr)."
)


def find_firefox():
    """Return the program itself: on PATH may be a script that starts it."""
    named = os.environ.get("FIREFOX")
    found = [*filter(None, map(shutil.which, [named] if named else NAMES))]
    assert found or not named, f"FIREFOX names no program: {named}"
    others = [Path(place, name, name) for place in PLACES for name in NAMES]
    programs = [*map(os.path.realpath, found), *(others if found else ())]
    program = next(filter(_is_program, map(Path, programs)), None)
    assert program or not named, f"FIREFOX is no Firefox: {named}"
    return program


def _is_program(path):
    return path.exists() and (path.parent / "application.ini").exists()


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    path = find_firefox()
    if path is None:
        pytest.skip(NONE)
    from marionette_driver.marionette import Marionette

    driver = Marionette(
        bin=str(path),
        headless=True,
        # A file of its own: Marionette removes what is there, which root can do to
        # /dev/null too.
        gecko_log=str(tmp_path_factory.mktemp("firefox") / "log"),
        app_args=["-remote-allow-system-access"],  # to take its network away
    )
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
