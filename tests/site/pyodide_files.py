"""The files of Pyodide for browser tests, by the address that a page names.

From the folder $PYODIDE_DIR; else from one beside this checkout; else from the address
itself. With none of these, no package registry has all that is needed (npm has Pyodide,
none has NumPy and matplotlib for it): the tests are not run, and the last lines of the
report name them. Where CI=true, they fail.
"""

import gzip
import os
import re
import urllib.request
from pathlib import Path

import pytest
from built_site import HTML, ROOT

BESIDE = ROOT.parent / "shared" / "pyodide-0.27.7"
KINDS = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
}
NO_SOURCE = (
    "Not run: NumPy and matplotlib for Pyodide, which no package registry has. Have "
    "{address} within reach, or set PYODIDE_DIR to a folder with that release."
)


class PyodideFiles:
    """Answers a browser's requests for an address from a folder, and notes them."""

    def __init__(self, address):
        named = os.environ.get("PYODIDE_DIR")
        self.address, self.asked = address, []
        self.folder = Path(named) if named else BESIDE
        if not self.folder.is_dir():
            assert not named, f"PYODIDE_DIR is not a folder: {named}"
            self.folder = None
            _reach(address)

    @classmethod
    def of(cls, name):
        """Those that a page of the site names."""
        html = (HTML / name).read_text(encoding="utf-8")
        return cls(re.search(r'data-pyodide="([^"]+)"', html)[1])

    def serve(self, context):
        """Answer the requests of all pages of a context."""
        context.route(f"{self.address}**", self._answer)

    def megabytes(self):
        """What was asked for weighs this much over the line."""
        return sum(len(gzip.compress(self._read(name))) for name in self.asked) / 1e6

    def _read(self, name):
        if self.folder:
            return (self.folder / name).read_bytes()
        with urllib.request.urlopen(self.address + name) as answer:
            return answer.read()

    def _answer(self, route):
        name = route.request.url.removeprefix(self.address)
        self.asked.append(name)
        if self.folder is None:
            return route.fulfill(response=route.fetch())  # the browser finds no host
        path = self.folder / name
        assert path.is_file(), f"{name} is not in {self.folder}"
        kind = KINDS.get(path.suffix, "application/octet-stream")
        headers = {"access-control-allow-origin": "*"}
        return route.fulfill(path=path, content_type=kind, headers=headers)


def _reach(address):
    try:
        urllib.request.urlopen(f"{address}pyodide.mjs", timeout=20).close()
    except OSError:
        lacking(NO_SOURCE.format(address=address))


def lacking(reason):
    """Leave a test out for want of something; where all is to be had, fail."""
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
