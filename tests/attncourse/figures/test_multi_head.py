"""Lesson 6's live figure: what it saves, says, computes, and draws."""

import itertools
import json

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.multi_head import live
from attncourse.figures.multi_head.reach import nearest_mixture, nearest_of_two
from attnlib import scaled_dot_product_attention

CORNERS = np.array([[1.0, 0], [0, 1], [0, 0]])  # dog, food, the others
FACTS = np.array([[9.0, 2], [3, 4], [1, 8]])
PLACES = np.random.default_rng(6).uniform(-0.25, 1.25, (11, 2))
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def grid_of_weights(n=60):
    counts = itertools.product(range(n + 1), repeat=2)
    return np.array([(i, j, n - i - j) for i, j in counts if i + j <= n]) / n


@pytest.mark.parametrize(("values", "size"), [(CORNERS, 1), (FACTS, 9)])
@pytest.mark.parametrize("place", PLACES)
def test_no_mixture_comes_nearer(values, size, place):
    wanted = place * size
    weights = nearest_mixture(values, wanted)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    nearest = np.linalg.norm(weights @ values - wanted)
    others = np.linalg.norm(grid_of_weights() @ values - wanted, axis=1)
    assert nearest <= others.min() + 1e-12
    assert others.min() < nearest + size / 30  # and the grid comes almost as near


@pytest.mark.parametrize("place", PLACES)
def test_two_heads_reach_the_whole_box(place):
    weights = nearest_of_two(FACTS, 9 * place)
    assert weights.min() >= 0
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    outputs = np.diag(weights @ FACTS)
    np.testing.assert_allclose(outputs, np.clip(9 * place, [1, 2], [9, 8]), **CLOSE)


def test_inside_the_triangle_a_query_exists_that_attends_so():
    """Three words of value 0 share what the dog and the food leave."""
    dog, food, others = live.panel((0.3, 0.4)).compute().one_weights
    query = np.sqrt(2) * np.log([dog / (others / 3), food / (others / 3)])
    _, key, value = story.find().project(story.embed(story.sentence()))
    output = scaled_dot_product_attention([query], key, value)[0]
    np.testing.assert_allclose(output, [0.3, 0.4], **CLOSE)


def test_one_head_misses_and_two_reach():
    reached = live.panel((1, 1)).compute()
    np.testing.assert_allclose(reached.one_output, [0.5, 0.5])
    np.testing.assert_allclose(reached.two_output, [1, 1])
    outside = live.panel((1.25, -0.25)).compute()
    np.testing.assert_allclose(outside.one_output, [1, 0])
    np.testing.assert_allclose(outside.two_output, [1, 0])


def test_values_follow_the_sliders():
    panel = live.panel((0.25, 0.75))
    assert panel.values == {"alive": 0.25, "edible": 0.75}
    panel.controls["alive"].value = 1.1
    np.testing.assert_allclose(panel.compute().two_output, [1, 0.75])


def test_view_begins_as_the_controls_say():
    panel = live.panel((0.25, 0.75))
    view = panel.view
    assert (view.alive, view.edible) == (0.25, 0.75)
    np.testing.assert_array_equal(view.values, CORNERS)
    for slider in panel.controls.values():
        assert [slider.min, slider.max, slider.step] == view.bounds
    json.dumps(
        {k: v for k, v in view.get_state().items() if k != "layout"}, allow_nan=False
    )


def test_text_carries_the_numbers():
    says = repr(live.panel((1, 0.75), heads=2))
    assert "Wanted: 1, 0.75" in says
    assert "one head: 0.62, 0.38. two heads: 1.00, 0.75." in says


def test_with_one_head_nothing_is_said_of_two(figure_javascript):
    panel = live.panel((1, 1))
    assert panel.view.heads == 1
    assert "two" not in repr(panel)
    now = {"outputs": [[0.5, 0.5], [1, 1]], "misses": [0.7071, 0]}
    calls = [
        ["multi_head/live", "verdict", star, now, both]
        for star in ([1, 1], [1, 0.5])
        for both in (False, True)
    ]
    met, both_met, key, both_key = figure_javascript(calls)
    assert met == (
        "The dot stops at (0.50, 0.50), 0.71 away: that is as near as one head comes."
    )
    assert both_met == "The dot stops at (0.50, 0.50), 0.71 away; the ring is there."
    assert "Ring" in both_key
    assert "Ring" not in key


@pytest.mark.parametrize("heads", [0, 3, 1.5])
def test_bad_number_of_heads_is_refused(heads):
    with pytest.raises(ValueError, match=r"^multi_head: heads must be"):
        live.panel(heads=heads)


@pytest.mark.parametrize(
    ("star", "says"),
    [
        ((1, 2, 3), "star must be two numbers, got 3"),
        (1, "star must be two numbers, got 1"),
        ((1.3, 0), "star must be a number from -0.25 to 1.25, got 1.3"),
        ((0, float("nan")), "star must be"),
    ],
)
def test_bad_star_is_refused(star, says):
    with pytest.raises(ValueError, match=f"^multi_head: {says}"):
        live.panel(star)


def test_page_reaches_what_we_reach(figure_javascript):
    calls = [
        ["multi_head/live", "reach", values.tolist(), (size * place).tolist()]
        for values, size in ((CORNERS, 1), (FACTS, 9))
        for place in PLACES
    ]
    for (*_, values, wanted), got in zip(calls, figure_javascript(calls), strict=True):
        one = nearest_mixture(np.array(values), np.array(wanted))
        two = nearest_of_two(np.array(values), np.array(wanted))
        np.testing.assert_allclose(got["one"], one, **CLOSE)
        np.testing.assert_allclose(got["two"], two, **CLOSE)
        outputs = [one @ values, np.diag(two @ values)]
        np.testing.assert_allclose(got["outputs"], outputs, **CLOSE)
        far = np.linalg.norm(np.array(outputs) - wanted, axis=1)
        np.testing.assert_allclose(got["misses"], far, **CLOSE)
