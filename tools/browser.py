"""Find a Chromium for the browser tests, or install one.

    python tools/browser.py      print its path; fetch it first if need be

Looked for in this order: $BROWSER_PATH; the names below on PATH; the one that
Playwright installed. If there is none, `playwright install chromium` fetches it into
your own cache folder. Nothing is installed with root's rights.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# The first is Chromium without windows: a test's new page costs a third of the time.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# A container has no sandbox for it, no GPU, and often no network to look things up in.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
]


def find_browser():
    """Return the path of a Chromium, or None. Call it before starting Playwright."""
    named = [os.environ.get("BROWSER_PATH"), *map(shutil.which, NAMES)]
    return next(filter(None, named), None) or _playwrights()


def _playwrights():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


MISSING = """\
No Chromium found, and none could be fetched. The browser tests need one:
    Debian, Ubuntu    sudo apt install chromium-headless-shell
    Fedora            sudo dnf install chromium
    macOS             brew install --cask chromium
or set BROWSER_PATH to the Chromium that you have. `make quick` does without."""


def fetch_browser():
    """Let Playwright fetch a Chromium; return its path, or None."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    print("$", *command, flush=True)
    subprocess.run(command, check=False)
    return find_browser()


def main():
    """Print where the browser is; return the exit code."""
    path = find_browser() or fetch_browser()
    if path is None:
        print(MISSING, file=sys.stderr)
        return 1
    print("browser:", path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
