"""Lesson 7's second figure, two places on clocks: what it computes."""

import math

import numpy as np
import pytest

from attncourse.figures.clocks import live, still
from attncourse.story import in_order
from attnlib import sinusoidal_positional_encoding


def test_hands_turn_by_the_same_angle_wherever_the_first_position_is():
    for position in range(0, 51, 7):
        pair = live.panel(position, 3).compute()
        table = sinusoidal_positional_encoding(60, 8)
        np.testing.assert_array_equal(pair.encodings, table[[position, position + 3]])
        np.testing.assert_allclose(pair.turns, [3, 0.3, 0.03, 0.003])
        turned = np.vecdot(*pair.encodings.reshape(2, 4, 2))
        np.testing.assert_allclose(turned, np.cos(pair.turns), rtol=1e-12)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"position": 51}, "position must be a number from 0 to 50"),
        ({"position": 0.5}, "position must be"),
        ({"step": 7}, "step must be a number from 0 to 6"),
    ],
)
def test_bad_value_is_refused(bad, says):
    with pytest.raises(ValueError, match=rf"clocks: {says}"):
        live.panel(**bad)


def test_the_slice_reaches_from_hand_to_hand(figure_javascript):
    small, large = figure_javascript(
        [
            ["clocks/live", "slice", 0, math.pi / 2, 10],
            ["clocks/live", "slice", 0, 4, 10],
        ]
    )
    assert small == "M0 0L0.00 -10.00A10 10 0 0 1 10.00 -0.00Z"
    assert "A10 10 0 1 1 -7.57 6.54Z" in large


def test_still_pictures_say_what_they_show():
    says = repr(still.dot_products((4, 512)))
    share = (math.cos(1) + math.cos(0.01)) / 2
    assert f"{share:.2f}, " in says
    lengths = [2 * math.pi * 10**i for i in range(4)]
    listed = ", ".join(f"{length:,.0f}" for length in lengths)
    assert f"one turn takes {listed} positions" in repr(still.waves(64, 8))


def test_a_turn_says_its_numbers():
    turn = in_order.one_step_back()
    says = repr(still.turn(turn))
    assert "0.54, 0.84, 0.00, 0.00; -0.84, 0.54, 0.00, 0.00; 0.00" in says
