"""How long a reader waits for lesson 11's training, at full speed and at a quarter.

Two layers, three seeds: from the press of the button until the page says that the loss
has fallen, and until it says that all steps are done. Beside it the processor time of
the page, which is what the wait comes to where nothing else runs, and the load.

Training runs in a worker, which Chromium's own throttling does not slow as it slows the
page. So at a quarter of the speed the whole process of the page is stopped for three
quarters of the time, 30 ms in every 40 or so. Six minutes.
"""

import os
import signal
import statistics
import threading
import time
from contextlib import contextmanager

from browser import FLAGS, find_browser
from built_site import HTML, uncover
from playwright.sync_api import sync_playwright

PAGE, SLICE = "book/11_two_layers_that_copy.html", 0.010  # seconds
PRESSES = ["Train", *["Start again with another seed"] * 2]
SPEEDS = {"full": 1, "a quarter": 4}
# Presses a button, and notes after how many seconds the page first says what.
PRESS = """(figure, label) => {
    const status = figure.querySelector("[role=status]"), said = {};
    const buttons = [...figure.querySelectorAll("button")], start = performance.now();
    window.said = said;
    window.watch?.disconnect();
    window.watch = new MutationObserver(() => {
        const what = status.textContent.split(" after")[0];
        said[what] ??= (performance.now() - start) / 1000;
    });
    watch.observe(status, { childList: true });
    buttons.find((button) => button.textContent === label).click();
}"""
FALL, DONE = "The fall,", "Done"


@contextmanager
def slowed(pid, times):
    """Let a process run for one part in ``times`` of the time."""
    ended = threading.Event()

    def stop_and_go():
        while not ended.is_set():
            start = time.perf_counter()
            time.sleep(SLICE)
            os.kill(pid, signal.SIGSTOP)
            ran = time.perf_counter() - start  # longer than a slice on a busy machine
            time.sleep(ran * (times - 1))
            os.kill(pid, signal.SIGCONT)

    thread = threading.Thread(target=stop_and_go)
    if times > 1:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if times > 1:
            thread.join()


def process_of(browser):
    """Return the id of the page's process, and the processor time that it has taken."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    pages = [one for one in found["processInfo"] if one["type"] == "renderer"]
    return max((one["cpuTime"], one["id"]) for one in pages)[::-1]


def trained(browser, page, label):
    """Train once; return seconds and processor time to the fall, and to the end."""
    start = process_of(browser)[1]
    page.locator(".aw-train").evaluate(PRESS, label)
    found = []
    for what in (FALL, DONE):
        page.wait_for_function("what => window.said[what]", arg=what)
        took = process_of(browser)[1] - start
        found += [page.evaluate("what => window.said[what]", what), took]
    return found


def main():
    """Print the seconds of each seed and their medians, at each speed."""
    path = find_browser()
    print(f"{'':17}{'the fall':>20}{'all steps':>20}")
    heads = "".join(f"{name:>10}" for name in ("waited", "computed") * 2)
    print(f"{'speed':10} {'seed':6}{heads}  (s)   load")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(600_000)
        for name, times in SPEEDS.items():
            page.goto((HTML / PAGE).as_uri())
            uncover(page)
            page.locator(".aw-train").get_by_label("two layers").check()
            found = []
            with slowed(process_of(browser)[0], times):
                for seed, label in enumerate(PRESSES):
                    found.append(trained(browser, page, label))
                    _row(name, seed, found[-1])
            _row(name, "median", map(statistics.median, zip(*found, strict=True)))
        browser.close()


def _row(speed, seed, seconds):
    shown = "".join(f"{one:10.1f}" for one in seconds)
    print(f"{speed:10} {seed!s:6}{shown} {os.getloadavg()[0]:11.1f}", flush=True)
