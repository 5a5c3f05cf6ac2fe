"""Lesson 5's second live figure: what it computes."""

import numpy as np
import pytest

from attncourse.figures.weighted_sum import live
from attncourse.story import examples


@pytest.fixture
def panel():
    return live.panel(parts=(7, 2, 11))


def test_compute_mixes_the_values_by_hand(panel):
    *_, values = examples.three_tokens()
    mixture = panel.compute()
    np.testing.assert_allclose(mixture.weights, [7 / 20, 2 / 20, 11 / 20], rtol=1e-12)
    by_hand = (7 * values[0] + 2 * values[1] + 11 * values[2]) / 20
    np.testing.assert_allclose(mixture.output, by_hand, rtol=1e-12)


@pytest.mark.parametrize("parts", [(1, 1, 1), (20, 1, 5), (3, 17, 2)])
def test_no_mixture_is_a_printed_answer(parts):
    assert live.panel(parts).compute().output.sum() == pytest.approx(10)
    for printed in live.PRINTED:
        assert sum(printed) < 9.6


def test_equal_parts_give_the_mean():
    output = live.panel((5, 5, 5)).compute().output
    np.testing.assert_allclose(output, np.mean(live.VALUES, axis=0))


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
