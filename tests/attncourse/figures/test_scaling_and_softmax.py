"""The live figures of lessons 3 and 4: scores scaled, and made weights."""

import numpy as np
import pytest

from attncourse.figures.kit.panel import numbers
from attncourse.figures.scaling import live as scaling
from attncourse.figures.scaling.live import SIZES, random_scores

CURVE = "softmax/live"


def test_strip_of_shares_has_no_gap(figure_javascript):
    (parts,) = figure_javascript([[CURVE, "strip", [0.5, 0.3, 0.2], 260]])
    ends = [part["x"] + part["width"] for part in parts]
    assert [part["x"] for part in parts] == pytest.approx([0, *ends[:-1]])
    assert ends[-1] == pytest.approx(260)


def test_heights_are_exponentials_and_the_largest_reaches_the_top(figure_javascript):
    scores, temperature = (1.3, -0.7, 0.5), 0.5
    heights = figure_javascript(
        [[CURVE, "heightOf", s, max(scores), temperature] for s in scores]
    )
    powers = np.exp(np.divide(scores, temperature))
    np.testing.assert_allclose(heights, 130 * powers / powers.max(), rtol=1e-12)


@pytest.mark.parametrize("temperature", [0.25, 1, 5])
def test_the_curve_passes_through_the_largest_and_stays_in_the_picture(
    temperature, figure_javascript
):
    (path,) = figure_javascript([[CURVE, "curve", 2, temperature]])
    points = np.array([p.split() for p in path[1:].split("L")], dtype=float)
    assert (np.diff(points[:, 0]) >= 0).all()
    assert points[:, 1].min() >= 3.9
    at_two = np.interp(190 + 2 * 22.5, *points.T)
    assert at_two == pytest.approx(22, abs=2.5)  # its top


def test_the_goal_wants_new_scores_and_old_shares(figure_javascript):
    start = {"moved": [2, 1, 0], "weights": [0.665, 0.245, 0.09]}
    moved = {"moved": [2.1, 1.1, 0.1], "weights": [0.665, 0.245, 0.09]}  # one step each
    one = {"moved": [3, 1, 0], "weights": [0.84, 0.12, 0.04]}
    calls = [["softmax/live", "goal", now, {}, start] for now in (start, moved, one)]
    calls += [["softmax/live", "times", grown] for grown in (1, np.e)]
    goals = [[False, True], [True, True], [False, False]]
    assert figure_javascript(calls) == [*goals, "–", "× 2.718"]


def test_a_half_keeps_the_spread_and_no_other_exponent_does():
    even = scaling.panel(p=0.5).compute()
    np.testing.assert_allclose(even.spread, 1, rtol=0.03)
    assert even.case == "level"
    for p in (0, 0.25, 0.75, 1):
        now = scaling.panel(p=p).compute()
        np.testing.assert_allclose(now.spread, np.array(SIZES) ** (0.5 - p), rtol=0.03)
        assert now.case == ("under" if p < 0.5 else "over")


def test_spreads_are_those_of_all_scores():
    spreads = [random_scores(d_k).std() for d_k in SIZES]
    np.testing.assert_allclose(scaling.panel.data["spreads"], spreads, atol=1e-6)


def test_dragging_the_end_of_the_line_finds_the_exponent(figure_javascript):
    wanted = {16: 0.0, 1: 0.5, 1 / 16: 1.0, 1000: 0.0, 1e-6: 1.0}
    calls = [["scaling/live", "exponentFor", 16, 256, end] for end in wanted]
    assert figure_javascript(calls) == list(wanted.values())


@pytest.mark.parametrize("bad", [[np.nan], [np.inf, 1.0], np.empty((0, 0))])
def test_numbers_refuses_what_cannot_be_drawn(bad):
    with pytest.raises(ValueError, match="live figure"):
        numbers(bad)
