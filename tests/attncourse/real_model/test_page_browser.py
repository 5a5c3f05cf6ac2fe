"""The page's model in a browser: from a folder, stopped, and of several texts.

What its figure says when a file fails, tests/site/test_own_sentence.py tries.
"""

import functools
import http.server
import re
import threading

import numpy as np
import pytest

from attncourse.javascript import bundle
from attncourse.real_model.page import pack as packing

pytestmark = pytest.mark.long

CLIENT = packing.WORKER.with_name("client.js")
PAGE = '<!doctype html><meta charset="utf-8"><title>A page</title>'
HUNGRY = "A dog ate the food because it was hungry"
OPEN = """async ([name, more]) => {
  const asked = { base: "minilm/", ...more };
  globalThis.progress = [];
  const stop = new AbortController();
  const onProgress = (loaded, total) => {
    progress.push([loaded, total]);
    if (loaded > asked.stopAt) stop.abort();
  };
  try {
    globalThis.model = await openModel({ ...asked, onProgress, signal: stop.signal });
    return name;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}"""
RUN = """async ([text, options]) => {
  try {
    const got = await model.run(text, options);
    return { ...got, ids: [...got.ids], weights: [...got.weights] };
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(packed, tmp_path_factory):
    """A page with the client, and the pieces in a folder beside it."""
    place = tmp_path_factory.mktemp("page")
    (place / "minilm").symlink_to(packed)
    (place / "index.html").write_text(PAGE)
    return place


@pytest.fixture(scope="module")
def host(folder):
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Visit:
    """A page with the client in it, and what it asked for."""

    def __init__(self, context, home):
        self.page, self.asked = context.new_page(), []
        self.page.on("request", lambda one: self.asked.append(one.url))
        self.page.goto(f"{home}/index.html")
        self.page.add_script_tag(content=bundle(CLIENT).replace("export ", ""))

    def open(self, **more):
        return self.page.evaluate(OPEN, ["opened", more])

    def run(self, text, **options):
        return self.page.evaluate(RUN, [text, options])

    def pieces(self):
        return re.findall(r"/minilm/([\w-]+)\.js", " ".join(self.asked))


@pytest.fixture
def visit(browser, host):
    contexts = []

    def start(home=host):
        contexts.append(browser.new_context())
        return Visit(contexts[-1], home)

    yield start
    for context in contexts:
        context.close()


@pytest.fixture
def near(rounded):
    def check(got, text):
        expected = rounded(text)
        assert got["tokens"] == expected.tokens
        shape = got["nLayers"], got["nHeads"], *2 * [len(got["ids"])]
        weights = np.reshape(got["weights"], shape)
        np.testing.assert_allclose(weights, expected.weights, rtol=0, atol=2e-5)

    return check


def test_from_a_folder(visit, folder, near):
    one = visit(folder.as_uri())
    assert one.page.evaluate("readSizes('minilm/')")["first"] > 12e6
    assert one.open() == "opened"
    near(one.run(HUNGRY), HUNGRY)
    near(
        one.run("Photosynthesis is quintessential"), "Photosynthesis is quintessential"
    )
    assert all(address.startswith(("file:", "blob:")) for address in one.asked)


def test_stop_and_go_on(visit, near):
    one = visit()
    assert one.open(stopAt=5e6) == "AbortError: Stopped."
    before = set(one.pieces())
    assert "weights-23" not in before
    assert one.open() == "opened"
    assert len(one.pieces()) == len(set(one.pieces()))
    assert len(before) > 10
    near(one.run(HUNGRY), HUNGRY)


def test_texts_one_after_the_other_and_bad_ones(visit, near):
    one = visit()
    one.open()
    found = one.page.evaluate("""async () => {
      const said = (got) => got.tokens.join(" ");
      const say = (promise) => promise.then(said, (error) => error.name);
      const runs = [
        model.run("a long old text ".repeat(30), { slot: "left" }),
        model.run("right", { slot: "right" }),
        model.run("newer", { slot: "left" }),
      ];
      return Promise.all(runs.map(say));
    }""")
    assert found == ["AbortError", "[CLS] right [SEP]", "[CLS] newer [SEP]"]
    assert one.run("  ") == "Error: There is no text yet. Type a sentence."
    assert "has 10002 tokens, and the model reads at most 256" in one.run("? " * 10_000)
    assert "no such connection" in one.run("a", cut=[{"layer": 6, "head": 0}])
    near(one.run(HUNGRY), HUNGRY)
    one.page.evaluate("model.close()")
    assert one.run(HUNGRY).startswith("Error: ")
