"""Lesson 9's live figure: what it saves, says and computes, here and in the page."""

import json
import subprocess

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.masks import live
from attncourse.story.layers import two_layers
from attnlib import causal_mask
from tests.attncourse.figures.test_javascript import NODE, SCRIPT

OLD = story.sentence("hungry")
WEIGHT = {"rtol": 0, "atol": 1e-12}


def run(calls):
    text = json.dumps(calls)
    done = subprocess.run(
        [NODE, SCRIPT], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_values_follow_the_controls():
    panel = live.panel()
    assert panel.values == {"ahead": 4, "place": 5, "word": "delicious"}
    for name, value in {"ahead": 0, "place": 3, "word": "dog"}.items():
        panel.controls[name].value = value
    assert panel.values == {"ahead": 0, "place": 3, "word": "dog"}


def test_without_a_mask_it_knows_how_the_sentence_ends():
    """As in lesson 8's figure: after layer 2, only "it" and the last word differ."""
    now = live.panel().compute()
    assert now.changed.tolist() == [False, False, False, True, True]
    np.testing.assert_allclose(now.before[3], [1, 0], **WEIGHT)
    np.testing.assert_allclose(now.after[3], [0, 1], **WEIGHT)


@pytest.mark.parametrize("place", range(1, 6))
def test_under_the_causal_mask_nothing_earlier_changes(place):
    now = live.panel(ahead=0, place=place, word="it").compute()
    np.testing.assert_array_equal(now.before[: place - 1], now.after[: place - 1])
    assert not now.changed[: place - 1].any()


@pytest.mark.parametrize("ahead", range(5))
def test_the_layers_are_those_of_the_story(ahead):
    now = live.panel(ahead=ahead, place=1, word="food").compute()
    mask = causal_mask(5, query_offset=ahead)
    np.testing.assert_array_equal(now.allowed, mask)
    for words, name in ((OLD, "before"), (["food", *OLD[1:]], "after")):
        rows, weights = two_layers(story.embed(words), mask)
        np.testing.assert_array_equal(getattr(now, name), rows["network 2"][:, :2])
    np.testing.assert_array_equal(now.weights, weights[1])
    assert not weights[0][~mask].any()


def test_clicked_cells_are_flipped():
    panel = live.panel(ahead=0)
    panel.view.flipped = [4, 5]  # "dog" sees "hungry"; "ate" no longer sees "dog"
    mask = causal_mask(5)
    mask[0, 4], mask[1, 0] = True, False
    now = panel.compute()
    np.testing.assert_array_equal(now.allowed, mask)
    assert not now.changed[:4].any()  # "dog" asks for nothing, and keeps its row
    panel.view.flipped = [19]  # "it" sees "hungry"
    assert panel.compute().changed.tolist() == [False, False, False, True, True]


def test_the_page_makes_the_same_mask():
    asked = [(ahead, flipped) for ahead in range(5) for flipped in ([], [0, 7])]
    got = run([["masks/maths", "maskOf", 5, *one] for one in asked])
    for allowed, (ahead, flipped) in zip(got, asked, strict=True):
        panel = live.panel(ahead=ahead)
        panel.view.flipped = flipped
        np.testing.assert_array_equal(allowed, panel.compute().allowed)


def test_the_page_computes_the_same_layers():
    asked = [(4, 5, "delicious"), (0, 4, "hungry"), (1, 3, "dog")]
    panels = [live.panel(*one) for one in asked]
    calls = []
    for panel, (_, place, word) in zip(panels, asked, strict=True):
        rows = story.embed([*OLD[: place - 1], word, *OLD[place:]]).tolist()
        allowed = panel.compute().allowed.tolist()
        given = panel.view.layers, panel.view.network
        calls.append(["masks/maths", "twoLayers", rows, *given, allowed])
    for got, panel in zip(run(calls), panels, strict=True):
        now = panel.compute()
        np.testing.assert_allclose(got["weights"], now.weights, **WEIGHT)
        held = np.array(got["rows"])[:, :2]
        np.testing.assert_allclose(held, now.after, **WEIGHT)
    before, after = now.before.tolist(), now.after.tolist()
    (moved,) = run([["masks/maths", "changed", before, after]])
    assert moved == now.changed.tolist()
    assert 0 < sum(moved) < 5


def test_a_click_goes_on_to_the_next_word():
    ids = live.panel().view.sentence
    at = {"place": 5, "word": 5, "sentence": ids, "n": 6}
    found = run([["masks/maths", "next", at, chosen] for chosen in (5, 3, 1)])
    assert found == [0, 3, 1]


def test_repr_says_what_changed():
    assert "Rows that changed: it, delicious." in repr(live.panel())
    said = repr(live.panel(ahead=0))
    assert "Rows that changed: delicious." in said
    assert "it (0.00, 0.00), then (0.00, 0.00)" in said
    assert "it 0.25, 0.25, 0.25, 0.25, 0.00;" in said
    nothing = repr(live.panel(word="hungry"))
    assert "Rows that changed: none." in nothing


def test_still_picture_and_view_are_both_offered():
    panel = live.panel()
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')
    assert data["text/plain"] == repr(panel)


@pytest.mark.parametrize(
    "bad",
    [{"ahead": 5}, {"ahead": -1}, {"place": 0}, {"place": 1.5}, {"word": "cat"}],
)
def test_what_the_controls_lack_is_refused(bad):
    with pytest.raises(ValueError, match=rf"masks: {next(iter(bad))} must be"):
        live.panel(**bad)
