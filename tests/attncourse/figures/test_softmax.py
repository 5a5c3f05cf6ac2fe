"""Lesson 4's live figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse.figures.softmax import live


@pytest.fixture
def panel():
    return live.panel(scores=(1.3, -0.7, 0.5), added=1.1, temperature=0.5)


def test_values_follow_the_sliders(panel):
    assert panel.values == {
        "score_1": 1.3,
        "score_2": -0.7,
        "score_3": 0.5,
        "added": 1.1,
        "temperature": 0.5,
    }
    panel.children[4].value = 2.0
    assert panel.values["temperature"] == 2.0


def test_compute_is_softmax_by_hand(panel):
    powers = [np.exp((s + 1.1) / 0.5) for s in (1.3, -0.7, 0.5)]
    shares = panel.compute()
    np.testing.assert_allclose(shares.exponentials, powers, rtol=1e-12)
    np.testing.assert_allclose(shares.weights, powers / np.sum(powers), rtol=1e-12)


def test_jacobian_is_what_a_small_step_measures(panel):
    shares, hair = panel.compute(), 1e-5
    for j, name in enumerate(("score_1", "score_2", "score_3")):
        there = dict(panel.values)
        there[name] += hair * there["temperature"]
        panel_there = live.panel(
            [there[f"score_{i}"] for i in (1, 2, 3)],
            there["added"],
            there["temperature"],
        )
        slope = (panel_there.compute().weights - shares.weights) / hair
        np.testing.assert_allclose(slope, shares.jacobian[:, j], atol=1e-4)


def test_adding_moves_the_exponentials_and_no_weight(panel):
    plain = live.panel((1.3, -0.7, 0.5), 0, 0.5).compute()
    shares = panel.compute()
    assert (shares.exponentials > plain.exponentials).all()
    np.testing.assert_allclose(shares.weights, plain.weights, rtol=1e-12)


def test_view_begins_as_the_controls_say(panel):
    state = panel.children[-1]
    assert {name: getattr(state, name) for name in panel.values} == panel.values


def test_saved_state_is_plain_json(panel):
    state = {k: v for k, v in panel.children[-1].get_state().items() if k != "layout"}
    json.dumps(state, allow_nan=False)


def test_repr_carries_the_numbers(panel):
    weights = panel.compute().weights
    assert ", ".join(f"{w:.3f}" for w in weights) in repr(panel)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"scores": (1, 2)}, "scores must be three numbers, got 2"),
        ({"scores": (1, 2, 3.1)}, "scores must be a number from -3 to 3, got 3.1"),
        ({"scores": (1, 2, np.nan)}, "scores"),
        ({"scores": 5}, "scores must be three numbers"),
        ({"added": -4}, "added"),
        ({"temperature": 0}, "temperature must be a number from 0.25 to 5, got 0"),
        ({"temperature": "hot"}, "temperature"),
    ],
)
def test_bad_input_is_refused(wrong, named):
    with pytest.raises(ValueError, match=f"^softmax: .*{named}"):
        live.panel(**wrong)
