"""Find a Chromium for the browser tests, or install one.

    python tools/browser.py      print its path; install it first if need be

Looked for in this order: $BROWSER_PATH; the names below on PATH; the one that
Playwright installed. If there is none, `playwright install chromium` is tried, then
the system's package manager.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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


def install_browser():
    """Try each way to get a Chromium; return its path, or None."""
    apt = ["apt-get", "-qq", "-y"]
    ways = [[[sys.executable, "-m", "playwright", "install", "chromium"]]]
    if shutil.which("apt-get"):
        ways.append([[*apt, "update"], [*apt, "install", "chromium"]])
    for commands in ways:
        for command in commands:
            print("$", *command, flush=True)
            if subprocess.run(command, check=False).returncode:
                break
        if path := find_browser():
            return path
    return None


def main():
    """Print where the browser is; return the exit code."""
    path = find_browser() or install_browser()
    if path is None:
        print(
            "No Chromium found, and none could be installed. The browser tests need "
            "one: install the package chromium, or set BROWSER_PATH.",
            file=sys.stderr,
        )
        return 1
    print("browser:", path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
