"""The time until a lesson's figure moves, on a slow line and a slow machine.

Each lesson is opened with nothing kept, over 1.6 Mbit/s with a latency of 60 ms, on a
processor slowed to a quarter; files come compressed, as a static host sends them. From
the start of the navigation to the first frame in which the first slider has changed
its picture: that should take at most 2.0 s. Beside it, what of the page jumped (CLS).
"""

import gzip
import http.server
import statistics
import threading
from functools import cache, partial
from pathlib import Path

from browser import FLAGS, find_browser
from built_site import HTML, PHONE, pages_with_figures
from playwright.sync_api import sync_playwright

RUNS = 3
LINE = {"latency": 60, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
SLOWER = 4
PACKED = {".woff2", ".png", ".zip"}
# Tries the first slider every 20 ms until its picture follows; notes the frame's time.
WATCH = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) shift += one.value;
}).observe({ type: "layout-shift", buffered: true });
window.usable = new Promise((done) => {
  const trying = setInterval(() => {
    const input = document.querySelector(".nk-live input[type=range]");
    const view = input?.closest(".nk-live").querySelector(".aw-view");
    if (!view) return;
    const before = view.innerHTML;
    input.value = input.value === input.max ? input.min : input.max;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    if (view.innerHTML === before) return;
    clearInterval(trying);
    requestAnimationFrame(() => done(performance.now()));
  }, 20);
});
"""


class _Host(http.server.SimpleHTTPRequestHandler):
    """A static host as they are: text is compressed, connections are kept."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        body, packed = _sent(path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)


@cache
def _sent(path):
    if not path.is_file():
        return b"", False
    packed = path.suffix not in PACKED
    return gzip.compress(path.read_bytes()) if packed else path.read_bytes(), packed


def measured(browser, address):
    """Open a page as a new reader; return the seconds it takes and what jumped."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", {"offline": False, **LINE})
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(WATCH)
    page.goto(address, wait_until="commit")
    seconds = page.evaluate("usable") / 1000
    page.wait_for_load_state("networkidle")
    shift = page.evaluate("shift")
    context.close()
    return seconds, shift


def main():
    """Print the median time and the largest shift of every page with a figure."""
    path = find_browser()
    handler = partial(_Host, directory=str(HTML))
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        print(f"{'page':34} {'usable':>8} {'slowest':>8}  (s) {'CLS':>8}")
        home = f"http://127.0.0.1:{server.server_port}"
        names = pages_with_figures()
        measured(browser, f"{home}/{names[0]}")  # warm up
        for name in names:
            runs = [measured(browser, f"{home}/{name}") for _ in range(RUNS)]
            times, shifts = zip(*runs, strict=True)
            middle = statistics.median(times)
            shown = f"{middle:8.2f} {max(times):8.2f}      {max(shifts):8.4f}"
            print(f"{name:34} {shown}", flush=True)
        browser.close()
        server.shutdown()
