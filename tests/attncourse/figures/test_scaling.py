"""Lesson 3's live figures: scores divided by a power of d_k."""

import numpy as np
import pytest

from attncourse.figures.kit.panel import numbers
from attncourse.figures.scaling import live
from attncourse.figures.scaling.live import N_ROWS, N_SHOWN, SIZES, random_scores
from attnlib import attention_weights, softmax


def test_weights_are_those_of_attention_with_that_scale():
    rng = np.random.default_rng(0)
    query = rng.standard_normal((512, 1, 512))[:N_SHOWN, :, :64]
    key = rng.standard_normal((512, 8, 512))[:N_SHOWN, :, :64]
    weights = attention_weights(query, key, scale=64**-0.3)[:, 0]
    shown = live.panel(p=0.3, d_k=64).compute()
    np.testing.assert_allclose(shown.weights, weights[:N_ROWS], atol=0.005)
    assert shown.median == pytest.approx(np.median(weights.max(axis=-1)), abs=0.005)


@pytest.mark.parametrize("p", [0, 0.25, 0.5, 1])
def test_what_the_page_is_sent_draws_the_same_picture(p):
    for i, size in enumerate(SIZES):
        weights = softmax(random_scores(size)[:N_SHOWN] / size**p)
        drawn = softmax(live._sent()[i] / size**p)
        np.testing.assert_allclose(drawn[:N_ROWS], weights[:N_ROWS], atol=0.005)
        dots = drawn.max(axis=-1), weights.max(axis=-1)
        np.testing.assert_allclose(
            *dots, atol=0.0075
        )  # of 92 units, as weight 1 is high


def test_a_half_keeps_the_spread_and_no_other_exponent_does():
    even = live.spreads(p=0.5).compute()
    np.testing.assert_allclose(even.spread, 1, rtol=0.03)
    assert even.case == "level"
    for p in (0, 0.25, 0.75, 1):
        now = live.spreads(p=p).compute()
        np.testing.assert_allclose(now.spread, np.array(SIZES) ** (0.5 - p), rtol=0.03)
        assert now.case == ("under" if p < 0.5 else "over")
        assert now.spread.tolist() == live.panel(p=p).compute().spread.tolist()


def test_spreads_are_those_of_all_scores_and_few_are_sent():
    spreads = [random_scores(d_k).std() for d_k in SIZES]
    np.testing.assert_allclose(live.spreads.data["spreads"], spreads, atol=1e-6)
    assert "letters" not in live.spreads.data
    n_letters = [len(SIZES) * 8 * N_ROWS, len(SIZES) * 7 * (N_SHOWN - N_ROWS)]
    assert [len(one) for one in live.panel.data["letters"]] == n_letters


def test_dragging_the_end_of_the_line_finds_the_exponent(figure_javascript):
    wanted = {16: 0.0, 1: 0.5, 1 / 16: 1.0, 1000: 0.0, 1e-6: 1.0}
    calls = [["scaling/live", "exponentFor", 16, 256, end] for end in wanted]
    assert figure_javascript(calls) == list(wanted.values())


@pytest.mark.parametrize("bad", [[np.nan], [np.inf, 1.0], np.empty((0, 0))])
def test_numbers_refuses_what_cannot_be_drawn(bad):
    with pytest.raises(ValueError, match="live figure"):
        numbers(bad)
