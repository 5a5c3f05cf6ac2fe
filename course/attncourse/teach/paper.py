"""Print a page as a PDF, by a Chromium of this machine, over its debugging pipe."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome"),
)
FLAGS = (
    *("--headless", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update"),
)
SECONDS = 120
PAPER = {"preferCSSPageSize": True, "printBackground": True}


class NotPrintedError(RuntimeError):
    """No PDF was made; the message says why, and what to do."""


def find_browser() -> str:
    """Return the path of a Chromium: $BROWSER_PATH, or the first on PATH.

    Raises
    ------
    NotPrintedError
    """
    named = [os.environ.get("BROWSER_PATH"), *map(shutil.which, NAMES)]
    if found := next(filter(None, named), None):
        return found
    raise NotPrintedError(
        "a PDF takes a Chromium or Chrome, on PATH or named by BROWSER_PATH. Without "
        "one, open the page in any browser and print it from there"
    )


def print_pages(pages: list[Path]) -> list[Path]:
    """Print HTML files to PDFs of the same names; return their paths.

    Raises
    ------
    NotPrintedError
    """
    if os.name == "nt":
        raise NotPrintedError("on Windows, print the page from a browser")
    path = find_browser()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        try:
            with _Browser(path, profile) as browser:
                return [_printed(browser, page) for page in pages]
        except (OSError, ValueError, KeyError) as error:
            raise NotPrintedError(f"{path} did not print: {error}") from None


def _printed(browser: _Browser, page: Path) -> Path:
    address = page.resolve().as_uri()
    target = browser.ask("Target.createTarget", url=address)["targetId"]
    session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)
    tab = session["sessionId"]
    ready = {"expression": "location.href !== 'about:blank' && document.readyState"}
    while (
        browser.ask("Runtime.evaluate", tab, **ready)["result"]["value"] != "complete"
    ):
        time.sleep(0.05)
    data = browser.ask("Page.printToPDF", tab, **PAPER)["data"]
    written = page.with_suffix(".pdf")
    written.write_bytes(base64.b64decode(data))
    return written


class _Browser:
    """A Chromium that is asked over two pipes; it reads 3 and writes 4."""

    def __init__(self, path: str, profile: str) -> None:
        reads, self._out = os.pipe()
        self._in, writes = os.pipe()
        root = ["--no-sandbox"] if os.geteuid() == 0 else []  # it has none for root
        command = [path, *FLAGS, *root, f"--user-data-dir={profile}"]

        def number() -> None:  # `reads` was opened first, and is not 4 unless 3 is free
            os.dup2(reads, 3)
            os.dup2(writes, 4)
            os.set_inheritable(3, True)  # which dup2 leaves as it is, of 3 onto 3
            os.set_inheritable(4, True)

        self._process = subprocess.Popen(
            command,
            close_fds=False,  # none is inherited, but for these two
            preexec_fn=number,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(reads)
        os.close(writes)
        self._read, self._count = b"", 0
        self._until = time.monotonic() + SECONDS

    def __enter__(self) -> _Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def ask(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """Send one request, and return what comes back for it."""
        self._count += 1
        what: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        what |= {"sessionId": session} if session else {}
        os.write(self._out, json.dumps(what).encode() + b"\0")
        while (found := json.loads(self._next())).get("id") != self._count:
            pass
        return found["result"]

    def _next(self) -> bytes:
        while b"\0" not in self._read:
            left = self._until - time.monotonic()
            if left <= 0 or not select.select([self._in], [], [], left)[0]:
                raise OSError(f"it took more than {SECONDS} s")
            more = os.read(self._in, 1 << 20)
            if not more:
                raise OSError("it ended at once")
            self._read += more
        one, _, self._read = self._read.partition(b"\0")
        return one
