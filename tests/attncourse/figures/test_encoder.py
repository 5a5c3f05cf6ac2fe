"""Lesson 8's live figure: what it saves, says and computes."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from attncourse import examples
from attncourse.figures.encoder import live
from attncourse.figures.encoder.live import MASKS, N_WORDS, STEPS, TOKENS, worked_layer
from attnlib import causal_mask, padding_mask

EXPECTED = {
    "none": np.ones((4, 4), bool),
    "causal": causal_mask(4),
    "padding": np.broadcast_to(padding_mask(3, 4), (4, 4)),
    "both": causal_mask(4) & padding_mask(3, 4),
}


@pytest.fixture(scope="module")
def panel():
    return live.panel(step="first norm", mask="both")


def view(panel):
    return panel.children[-1]


def test_values_follow_the_controls():
    panel = live.panel()
    assert panel.values == {"step": "input", "mask": "none"}
    panel.children[0].value, panel.children[1].value = "second add", "padding"
    assert panel.values == {"step": "second add", "mask": "padding"}


@pytest.mark.parametrize("mask", MASKS)
def test_the_steps_end_where_attnlib_ends(mask):
    x, layer = worked_layer()
    steps = live.panel(mask=mask).compute()
    assert [*steps] == [*STEPS, "weights"]
    allowed = EXPECTED[mask]
    np.testing.assert_array_equal(steps["input"], x)
    np.testing.assert_allclose(
        steps["second norm"], layer(x, mask=allowed), rtol=0, atol=1e-12
    )
    np.testing.assert_array_equal(steps["weights"] > 0, allowed)


def test_attention_is_that_of_lesson_5():
    words, one_head = examples.three_words()
    attended = live.panel(mask="padding").compute()["attention"]
    np.testing.assert_allclose(attended[:N_WORDS], one_head(words), atol=1e-12)


def test_masked_padding_changes_no_word():
    x, layer = worked_layer()
    steps = live.panel(mask="padding").compute()
    alone = layer(x[:N_WORDS])
    np.testing.assert_allclose(steps["second norm"][:N_WORDS], alone, atol=1e-12)


@pytest.mark.parametrize("mask", MASKS)
def test_saved_numbers_are_those_of_attnlib(panel, mask):
    steps, index = live.panel(mask=mask).compute(), [*MASKS].index(mask)
    saved = np.array(view(panel).rows[index])
    for step, rows in zip(STEPS, saved, strict=True):
        np.testing.assert_allclose(rows[:, :4], steps[step], atol=1e-6)
        np.testing.assert_allclose(rows[:, 4], steps[step].sum(axis=1) / 4, atol=1e-6)
        squares = (steps[step] ** 2).sum(axis=1) / 4
        np.testing.assert_allclose(
            rows[:, 5] ** 2, squares - rows[:, 4] ** 2, atol=1e-5
        )
    weights = view(panel).weights[index]
    np.testing.assert_allclose(weights, steps["weights"], atol=1e-6)


def test_a_forbidden_pair_is_saved_as_exactly_0(panel):
    for name, weights in zip(MASKS, view(panel).weights, strict=True):
        np.testing.assert_array_equal(np.array(weights) != 0, EXPECTED[name])


def test_the_page_has_words_for_every_step():
    script = Path(live.__file__).with_suffix(".js").read_text()
    listed = re.search(r"const STEPS = \[\n(.*?)\n\];", script, re.DOTALL)[1]
    names = re.findall(r'^  \["([\w-]+)"', listed, re.MULTILINE)
    assert names == [step.split()[-1] for step in STEPS]


def test_saved_state_is_plain_json(panel):
    state = {k: v for k, v in view(panel).get_state().items() if k != "layout"}
    json.dumps(state, allow_nan=False)


def test_repr_carries_the_numbers(panel):
    steps = panel.compute()
    assert repr(panel).startswith("Step 4 of 7, first norm.")
    for token, rows in zip(TOKENS, steps["first norm"], strict=True):
        assert f"{token} {', '.join(f'{n:.2f}' for n in rows)}" in repr(panel)
    assert ", ".join(f"{w:.2f}" for w in steps["weights"][2]) in repr(panel)


def test_still_picture_and_view_are_both_offered(panel):
    data = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')
    assert data["text/plain"] == repr(panel)


@pytest.mark.parametrize(
    "bad", [{"step": "norm"}, {"step": 3}, {"mask": "triangle"}, {"mask": None}]
)
def test_other_steps_and_masks_are_refused(bad):
    with pytest.raises(ValueError, match=rf"encoder: {next(iter(bad))} must be one of"):
        live.panel(**bad)
