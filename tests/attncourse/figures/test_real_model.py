"""Lesson 10's live figure: what it saves, says and computes."""

import gzip
import json

import numpy as np
import pytest

from attncourse.figures.real_model import live
from attncourse.figures.real_model.live import matching
from attncourse.real_model import load_extract


@pytest.fixture(scope="module")
def panel():
    return live.panel(0, 3, layer=3, head=1)


def test_values_follow_the_controls():
    panel = live.panel()
    panel.children[0].index = 7
    panel.children[3].value = 2
    texts = load_extract()["texts"].tolist()
    assert panel.values == {
        **{"first": texts[7], "second": texts[1]},
        **{"layer": 5, "head": 2, "word": 8},
    }
    np.testing.assert_array_equal(
        panel.compute().first, load_extract()["attention_7"][5, 2].astype(float)
    )


def test_compute_and_page_hold_the_extract(panel):
    view, extract = panel.children[-1], load_extract()
    for place, tokens in enumerate(view.tokens):
        shape = (6, 12, len(tokens), len(tokens))
        saved = [(ord(one) - ord("#")) / 100 for one in view.weights[place]]
        wanted = extract[f"attention_{place}"].astype(float)
        gap = np.abs(np.reshape(saved, shape).swapaxes(-1, -2) - wanted)
        assert gap.max() <= 0.005 + 1e-12  # right to the digits that are shown
    np.testing.assert_array_equal(panel.compute().second, wanted_second(extract))


def wanted_second(extract):
    return extract["attention_3"][3, 1].astype(float)


def test_the_same_word_asks_in_both():
    assert matching(["a", "it"], ["b", "c", "it"], 1) == 2
    assert matching(["a", "b", "c"], ["d", "e"], 2) == 1


def test_text_carries_the_numbers(panel):
    row = load_extract()["attention_0"][3, 1, 7].astype(float)
    for weight in np.sort(row)[-3:]:
        assert f"{weight:.3f}" in repr(panel)
    assert "dog 0.529" in repr(panel)


def test_state_is_json_and_small(panel):
    state = json.dumps(panel.children[-1].get_state(), allow_nan=False)
    assert len(gzip.compress(state.encode())) < 60_000


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"first": 8}, "first must be"),
        ({"second": -1}, "second must be"),
        ({"layer": 6}, "layer must be"),
        ({"head": 12}, "head must be"),
        ({"word": 0}, "word must be"),
        ({"word": 1.5}, "word must be"),
    ],
)
def test_bad_value_is_refused(bad, says):
    with pytest.raises(ValueError, match=rf"real_model: .*{says}"):
        live.panel(**bad)
