"""Lesson 6's live figure: what one row of weights can reach, and what two can."""

import itertools

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
    (dog, food, others, misses), *more = live.panel((0.3, 0.4)).compute().rows
    assert (misses, more) == (pytest.approx(0), [])
    query = np.sqrt(2) * np.log([dog / (others / 3), food / (others / 3)])
    _, key, value = story.find().project(story.embed(story.sentence()))
    output = scaled_dot_product_attention([query], key, value)[0]
    np.testing.assert_allclose(output, [0.3, 0.4], **CLOSE)


def test_one_head_misses_and_two_reach():
    reached = live.panel((1, 1)).compute()
    np.testing.assert_allclose(reached.one_output, [0.5, 0.5])
    np.testing.assert_allclose(reached.two_output, [1, 1])
    np.testing.assert_allclose(reached.misses, [np.sqrt(0.5), 0])
    outside = live.panel((1.25, -0.25), heads=2).compute()
    np.testing.assert_allclose(outside.one_output, [1, 0])
    np.testing.assert_allclose(outside.two_output, [1, 0])
    np.testing.assert_allclose(outside.rows[1:, 3], [0.25, 0.25])


def test_with_one_head_nothing_is_said_of_two():
    one, two = (live.panel((1, 0.75), heads) for heads in (1, 2))
    assert list(one.controls) == list(two.controls) == ["alive", "edible"]
    assert "wo heads" not in repr(one) + str(one.describe())
    assert "Two heads come to 1.00 right, 0.75 up" in repr(two)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"heads": 3}, "heads must be one of"),
        ({"heads": True}, "heads must be one of"),
        ({"star": (1, 2, 3)}, "star must be two numbers, got 3"),
        ({"star": 1}, "star must be two numbers, got 1"),
        ({"star": (1.3, 0)}, "star must be a number from -0.25 to 1.25, got 1.3"),
        ({"star": (0, float("nan"))}, "star must be"),
    ],
)
def test_what_it_cannot_show_is_refused(given, says):
    with pytest.raises(ValueError, match=f"^multi_head: {says}"):
        live.panel(**given)
