"""A static host of one folder, below /repo/, that can be switched off and on."""

import functools
import http.server
import re
import threading
from pathlib import Path

ENDED = re.compile("^It ")
KINDS = {".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def guess_type(self, path):
        return KINDS.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, *_):
        pass

    def translate_path(self, path):
        return super().translate_path(path.removeprefix("/repo"))


class Host:
    """Serves a folder until it is switched off; keeps its address."""

    def __init__(self, folder):
        self.folder, self.port = Path(folder), 0
        self.on()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/repo"

    def on(self):
        handler = functools.partial(_Quiet, directory=str(self.folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def off(self):
        self.server.shutdown()
        self.server.server_close()


def press_keep(page):
    """Press the button, and wait until the site is kept or could not be."""
    page.get_by_role("button", name="Keep this site on this device").click()
    said = page.locator("#nk-keep [role=status]")
    said.filter(has_text=ENDED).wait_for(timeout=120_000)
    return said.inner_text()
