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
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attncourse.teach.problems import Problem

# Sheets to print: questions, a page break after each student, and the key.

STYLE = Path(__file__).with_name("sheet.css")
RULES = (
    "Marks stand beside each step. A slip costs its step alone: what follows counts if "
    "it is right for what was written before. A right result without working gets all "
    "marks in 1 to 3 and 5; a bare letter in 4 gets 3 of its 4."
)


def page(title: str, parts: Iterable[str], sheet: Path = STYLE) -> str:
    """Return an HTML document, with its style inside."""
    style = sheet.read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{style}</style></head>\n"
        f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )


def write(pages: Mapping[str, Iterable[str]], title: str, to: Path) -> list[Path]:
    """Write pages, the parts of each by the name of its file; return the files."""
    to.mkdir(parents=True, exist_ok=True)
    for name, parts in pages.items():
        (to / name).write_text(page(title, parts), encoding="utf-8")
    return [to / name for name in pages]


def questions(title: str, problems: list[Problem]) -> str:
    """Return one student's sheet."""
    total = sum(one.marks for one in problems)
    head = (
        f"<header><h1>{title}</h1><p>Name <span></span></p>"
        f"<p>{len(problems)} questions, {total} marks. Pencil and paper.</p></header>"
    )
    asked = "".join(
        f"<li><div>{one.asked}{_choices(one)}</div>"
        f'<p class="marks">{one.marks} marks</p><div class="room"></div></li>'
        for one in problems
    )
    return f'<section class="sheet">{head}<ol>{asked}</ol></section>'


def _choices(problem: Problem) -> str:
    rows = "".join(f"<li>{words}</li>" for _, words in problem.choices)
    return f'<ol class="choices">{rows}</ol>' if rows else ""


def key(title: str, problems: list[Problem]) -> str:
    """Return the worked key of one sheet, with its marks."""
    rows = "".join(
        "<li>"
        + "".join(
            f"<div>{step} <b class='marks'>{marks}</b></div>"
            for marks, step in one.working
        )
        + "</li>"
        for one in problems
    )
    return f'<section class="key"><h2>{title}</h2><ol>{rows}</ol></section>'


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
