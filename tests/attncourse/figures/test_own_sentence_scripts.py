"""The scripts of lesson 12's figure: its reader of sentences, its experiment."""

import itertools
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.special import stdtrit

import attncourse
from attncourse.figures.own_sentence import live
from attncourse.real_model import load_extract
from tests.attncourse.figures.conftest import NODE

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


# A figure whose first text is still being read when the second one has been.
OVERTAKEN = """
import { makeOwn } from %s;
const said = [], shown = [];
let texts = ["slow"], end;
const form = { texts: () => texts, mark() {}, say: (text) => said.push(text) };
const read = ([text]) => new Promise((done) => {
  if (text === "slow") end = done;
  else done([{ tokens: [text] }]);
});
const reader = { ready: () => true, loads: () => false, drop() {}, read };
const picture = { show: ([text]) => shown.push(text), says: () => "it looks" };
const own = makeOwn({ form, reader, picture, model: { get: () => 1 } });
const slow = own.read(), reads = [own.reads()];
texts = ["quick"];
await own.read();
reads.push(own.reads());
await new Promise((done) => setTimeout(done, 600));
end(null);
await slow;
process.stdout.write(JSON.stringify({ said, shown, reads }));
"""


def run(script):
    source = script % json.dumps(READER.as_uri())
    command = [NODE, "--input-type=module", "-e", source]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def out():
    return run(SCRIPT)


def test_what_was_overtaken_is_not_said_to_be_read_any_more():
    """Nor to load what its words need."""
    said, shown, reads = ["1 tokens. In head 1.1 it looks."], ["quick"], [True, False]
    assert run(OVERTAKEN) == {"said": said, "shown": shown, "reads": reads}


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


MODULE = "own_sentence/experiment"


def call(figure_javascript, *calls):
    return figure_javascript([[MODULE, *one] for one in calls])


def test_lines_are_the_lessons_pairs(figure_javascript):
    search, fresh = live.pair_lines(load_extract())
    assert (len(search), len(fresh)) == (20, 24)
    (parsed,) = call(figure_javascript, ["parsePairs", "\n".join(["", *search, " "])])
    assert parsed[0] == {
        "texts": [
            "The dog ate the food because it was hungry",
            "The dog ate the food because it was delicious",
        ],
        "nouns": ["dog", "food"],
    }
    assert len(parsed) == 20


def test_places_are_those_of_the_tokens(figure_javascript):
    one = "[CLS] the Dog saw it and it was un ##fit [SEP]".lower().split()
    two = ["[cls]", "the", "dog", "saw", "it", "and", "it", "was", "loud", "[sep]"]
    (found,) = call(figure_javascript, ["places", [one, two], ["dog", "saw"]])
    assert found == {"it": 4, "nouns": [2, 3], "last": 8}


def test_preferences_and_summary_are_the_lessons(figure_javascript):
    rng = np.random.default_rng(5)
    weights = rng.random((6, 12, 7, 7))
    reading = {"tokens": list("abcdefg"), "weights": weights.ravel().tolist()}
    extract = load_extract()
    pairs = extract["pair_weights"][extract["pair_group"] == "held_out"].astype(float)
    preference = pairs[..., 0] - pairs[..., 1]
    effects = (preference[:, 0] - preference[:, 1]).reshape(24, 72)
    got, told = call(
        figure_javascript,
        ["preferences", reading, {"it": 4, "nouns": [1, 6]}],
        ["summary", effects.tolist(), 3 * 12 + 1],
    )
    expected = weights[:, :, 4, 1] - weights[:, :, 4, 6]
    np.testing.assert_allclose(got, expected.ravel(), rtol=1e-12)
    ours = effects[:, 37]
    half = stdtrit(23, 0.975) * ours.std(ddof=1) / 24**0.5
    ends = ours.mean() + half * np.array([-1, 1])
    np.testing.assert_allclose([told["low"], told["high"]], ends, atol=1e-4)
    assert (told["n"], told["positive"], told["asLarge"]) == (24, 21, 0)
    np.testing.assert_allclose(told["means"], effects.mean(axis=0))


def by_chance(effects, head, signs):
    """The mean number of heads that do as well, over rows of signs."""
    sums = signs @ effects
    return (sums >= effects[:, head].sum() - 1e-9).sum(axis=1).mean()


def test_what_chance_does_as_well(figure_javascript, rng):
    few, many = rng.normal(0.1, 1, (7, 5)), rng.normal(0.2, 1, (24, 72))
    middling = int(np.argsort(many.sum(axis=0))[50])
    got = call(
        figure_javascript,
        ["byChance", few.tolist(), 3],
        ["byChance", many.tolist(), middling],
    )
    signs = np.array(list(itertools.product([1, -1], repeat=7)))
    assert got[0] == by_chance(few, 3, signs)  # every way
    coins = rng.choice([1, -1], (40_000, 24))
    expected = by_chance(many, middling, coins)
    assert 1 < expected < 40
    assert got[1] == pytest.approx(expected, rel=0.05)


def test_quantiles_of_student(figure_javascript):
    degrees = [1, 2, 7, 23, 30, 31, 60, 500]
    got = call(figure_javascript, *[["studentT", d] for d in degrees])
    np.testing.assert_allclose(got, stdtrit(degrees, 0.975), atol=0.003)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("The dog ran because it was {}; dog; tired", "Line 2: five parts .* 3 are"),
        ("The dog ran because it was; dog; cat; a; b", r"Line 2: .* needs one \{\}"),
        ("The dog {} ran; dog; cat; a; b", "Line 2: .* “it” before"),
        ("It was {}; dog; cat; ; b", "Line 2: five parts .* 4 are there"),
    ],
)
def test_a_line_that_is_no_pair_is_named(figure_javascript, line, says):
    good = "The dog ate it, it was {}; dog; food; hungry; delicious"
    with pytest.raises(AssertionError, match=says):
        call(figure_javascript, ["parsePairs", f"{good}\n{line}"])


def test_a_noun_that_is_no_single_token_is_named(figure_javascript):
    tokens = ["[CLS]", "the", "photos", "##yn", "was", "it", "[SEP]"]
    with pytest.raises(AssertionError, match="no single token “photosyn”"):
        call(figure_javascript, ["places", [tokens, tokens], ["the", "photosyn"]])
