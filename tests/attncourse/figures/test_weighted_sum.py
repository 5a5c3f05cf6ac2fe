"""Lesson 5's live figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse import examples
from attncourse.figures.weighted_sum import live


@pytest.fixture
def panel():
    return live.panel(parts=(7, 2, 11))


def test_values_follow_the_sliders(panel):
    assert panel.values == {"parts_1": 7, "parts_2": 2, "parts_3": 11}
    panel.children[1].value = 13
    assert panel.values["parts_2"] == 13


def test_compute_mixes_the_values_by_hand(panel):
    words = examples.plane_words()
    robots, tangled, tasks = (words[w] for w in ("robots", "complex", "tasks"))
    mixture = panel.compute()
    np.testing.assert_allclose(mixture.weights, [7 / 20, 2 / 20, 11 / 20], rtol=1e-12)
    by_hand = (7 * robots + 2 * tangled + 11 * tasks) / 20
    np.testing.assert_allclose(mixture.output, by_hand, rtol=1e-12)


def test_equal_parts_give_the_mean(panel):
    output = live.panel((5, 5, 5)).compute().output
    np.testing.assert_allclose(output, np.mean(panel.children[-1].values, axis=0))


def test_view_begins_as_the_controls_say(panel):
    state = panel.children[-1]
    assert (state.parts_1, state.parts_2, state.parts_3) == (7, 2, 11)
    assert state.names == ["robots", "complex", "tasks"]


def test_saved_state_is_plain_json(panel):
    state = {k: v for k, v in panel.children[-1].get_state().items() if k != "layout"}
    json.dumps(state, allow_nan=False)


def test_repr_carries_the_numbers(panel):
    assert "robots 0.350, complex 0.100, tasks 0.550" in repr(panel)
    assert "Output: [0.200, 1.450]" in repr(panel)


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ((1, 2), "parts must be three numbers, got 2"),
        ((0, 1, 1), "parts must be a number from 1 to 20, got 0"),
        ((1, 21, 1), "parts must be a number from 1 to 20, got 21"),
        ((1, 1.5, 1), "parts must be an integer"),
        ((1, 1, True), "parts must be an integer"),
    ],
)
def test_bad_input_is_refused(parts, named):
    with pytest.raises(ValueError, match=f"^weighted_sum: {named}"):
        live.panel(parts)
