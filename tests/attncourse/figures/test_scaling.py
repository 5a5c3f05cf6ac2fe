"""Lesson 3's live figure: scores divided by a power of d_k."""

import numpy as np
import pytest

from attncourse.figures.kit.panel import numbers
from attncourse.figures.scaling import live
from attncourse.figures.scaling.live import SIZES, random_scores


def test_a_half_keeps_the_spread_and_no_other_exponent_does():
    even = live.panel(p=0.5).compute()
    np.testing.assert_allclose(even.spread, 1, rtol=0.03)
    assert even.case == "level"
    for p in (0, 0.25, 0.75, 1):
        now = live.panel(p=p).compute()
        np.testing.assert_allclose(now.spread, np.array(SIZES) ** (0.5 - p), rtol=0.03)
        assert now.case == ("under" if p < 0.5 else "over")


def test_spreads_are_those_of_all_scores():
    spreads = [random_scores(d_k).std() for d_k in SIZES]
    np.testing.assert_allclose(live.panel.data["spreads"], spreads, atol=1e-6)


def test_dragging_the_end_of_the_line_finds_the_exponent(figure_javascript):
    wanted = {16: 0.0, 1: 0.5, 1 / 16: 1.0, 1000: 0.0, 1e-6: 1.0}
    calls = [["scaling/live", "exponentFor", 16, 256, end] for end in wanted]
    assert figure_javascript(calls) == list(wanted.values())


@pytest.mark.parametrize("bad", [[np.nan], [np.inf, 1.0], np.empty((0, 0))])
def test_numbers_refuses_what_cannot_be_drawn(bad):
    with pytest.raises(ValueError, match="live figure"):
        numbers(bad)
