"""What the reader's own sentence costs, and how near it comes to attnlib.

Bytes and seconds to the first sentence and to the next, beside what the page of
Transformer Explainer states for its GPT-2; then the page's numbers beside attnlib's,
and lesson 12's result computed by the page's model. About two minutes, of which one is
the slowest line.
"""

import gzip
import http.server
import statistics
import sys
import threading
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pages import _Host
from scipy import stats

from attncourse.real_model import load_minilm
from attncourse.real_model.page import pack as packing

TESTS = Path(__file__).resolve().parents[1] / "tests" / "attncourse" / "real_model"
sys.path.append(str(TESTS))
from in_page import differences, timing  # noqa: E402 - they import from there

OTHERS = 600e6  # bytes: "while GPT-2 model is being downloaded (600MB)", poloclub 2025


def row(name, *cells):
    """Print a row of the table."""
    print(f"{name:44}", *(f"{one:>10}" for one in cells), flush=True)


def say_sizes(folder, manifest):
    """Print what has to be loaded; return the bytes before the first sentence."""
    sent = {p.stem: len(gzip.compress(p.read_bytes())) for p in folder.glob("*.js")}
    opening = sum(sent[name] for name in ("manifest", "worker", *manifest["opening"]))
    words = [size for name, size in sent.items() if name.startswith("words-")]
    row("BYTES, compressed", "MB")
    row("to the first sentence", f"{opening / 1e6:.1f}")
    row("  as the button says", f"{manifest['first'] / 1e6:.1f}")
    row("256 more words", f"{statistics.median(words) / 1e6:.2f}")
    row("all of the model", f"{sum(sent.values()) / 1e6:.1f}")
    row("Transformer Explainer, as stated", f"{OTHERS / 1e6:.0f}")


def say_first(first):
    """Print the seconds to the first sentence, by line."""
    row("FIRST SENTENCE, seconds", *(f"{line} Mbit/s" for line in timing.LINES))
    names = ("click to weights", "  page's thread at 1/4 speed")
    for name, seconds in zip(names, zip(*first, strict=True), strict=True):
        row(name, *(f"{one:.1f}" for one in seconds))
    alone = [OTHERS * 8 / (line * 1e6) for line in timing.LINES]
    row("Transformer Explainer: its bytes alone", *(f"{one:.0f}" for one in alone))


def say_next(worker, slowed, folder, models):
    """Print the milliseconds of a later sentence, by its length."""
    row("NEXT SENTENCE, ms", *(f"{n} tokens" for n in timing.N_TOKENS))
    times = {"in the worker": worker, "page's thread at 1/4 speed": slowed}
    times["node"] = timing.in_node(folder)
    for name, model in zip(
        ("attnlib, float32", "attnlib, rounded"), models, strict=True
    ):
        times[name] = [timing.median_ms(model, text) for text in timing.TEXTS]
    for name, each in times.items():
        row(name, *(f"{one:.0f}" for one in each))


def say_differences(run, models):
    """Print how far the page's weights are from attnlib's."""
    n_sentences, table = differences.compare(run, models)
    row(f"WEIGHTS of {n_sentences} sentences", "largest", "mean", "same top")
    for name, (largest, mean, same) in zip(("float32", "rounded"), table, strict=True):
        row(
            f"page less attnlib, {name}", f"{largest:.6f}", f"{mean:.7f}", f"{same:.2%}"
        )


def say_lesson(run, model):
    """Print lesson 12's effects from the page's model beside those in the lesson."""
    row("LESSON 12, mean effect of head 3.1", "page", "lesson", "± page", "± lesson")
    for name, both in differences.lesson(run, model).items():
        halves = [stats.t.ppf(0.975, len(e) - 1) * stats.sem(e) for e in both]
        counts = ", ".join(f"{(e > 0).sum()}/{len(e)}" for e in both)
        cells = (*(e.mean() for e in both), *halves)
        row(f"{name}, above 0 {counts}", *(f"{one:.3f}" for one in cells))


def main():
    """Print one table."""
    models = load_minilm(), load_minilm(page_sized=True)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary, "minilm")
        manifest = packing.pack(folder)
        Path(temporary, "index.html").write_text("<!doctype html><title>A page</title>")
        say_sizes(folder, manifest)
        handler = partial(_Host, directory=temporary)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            home = f"http://127.0.0.1:{server.server_port}"
            first, worker, slowed = timing.in_browser(home)
            server.shutdown()
        say_first(first)
        say_next(worker, slowed, folder, models)
        run = differences.runner(folder, Path(temporary, "weights"))
        say_differences(run, models)
        say_lesson(run, models[0])
