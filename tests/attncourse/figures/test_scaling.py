"""Lesson 3's live figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse.figures.kit.panel import numbers
from attncourse.figures.scaling import live
from attncourse.figures.scaling.live import N_SHOWN, SIZES, random_layer, random_scores
from attnlib import dot_product_scores


@pytest.fixture(scope="module")
def panel():
    return live.panel(d_k=64, word=3)


def view(panel):
    return panel.children[-1]


def test_values_follow_the_sliders():
    panel = live.panel(d_k=16, word=2)
    assert panel.values == {"d_k": 16, "word": 2}
    panel.children[0].value = 128
    assert panel.values == {"d_k": 128, "word": 2}


def test_compute_is_attnlib_on_the_words_shown(panel):
    trace = panel.compute()
    x, layer = random_layer(64)
    np.testing.assert_array_equal(trace.x, x[:N_SHOWN])
    np.testing.assert_allclose(trace.query, x[:N_SHOWN] @ layer.w_query)
    assert trace.weights.shape == (N_SHOWN, N_SHOWN)


def test_saved_scores_are_those_of_attnlib(panel):
    for index, d_k in enumerate(SIZES):
        x, layer = random_layer(d_k)
        scores = dot_product_scores(x @ layer.w_query, x @ layer.w_key)
        saved = view(panel).scores[index]
        np.testing.assert_allclose(saved, scores[:N_SHOWN, :N_SHOWN], atol=1e-6)


def test_every_pair_is_in_the_histograms_or_beyond_their_edges(panel):
    for d_k, counts in zip(SIZES, view(panel).raw_counts, strict=True):
        inside = np.abs(random_scores(d_k)) <= 40
        assert sum(counts) == inside.sum()


def test_spread_grows_as_the_lesson_says(panel):
    np.testing.assert_allclose(view(panel).spreads, np.sqrt(SIZES), rtol=0.15)


def test_saved_state_is_plain_json(panel):
    state = {k: v for k, v in view(panel).get_state().items() if k != "layout"}
    json.dumps(state, allow_nan=False)


def test_repr_carries_the_numbers(panel):
    weights = panel.compute().weights[2]
    assert ", ".join(f"{w:.2f}" for w in weights) in repr(panel)


def test_still_picture_and_view_are_both_offered(panel):
    data = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')
    assert data["text/plain"] == repr(panel)


@pytest.mark.parametrize("d_k", [0, 3, 1024])
def test_other_sizes_are_refused(d_k):
    with pytest.raises(ValueError, match="d_k"):
        live.panel(d_k=d_k)


@pytest.mark.parametrize("bad", [[np.nan], [np.inf, 1.0], np.empty((0, 0))])
def test_numbers_refuses_what_cannot_be_drawn(bad):
    with pytest.raises(ValueError, match="live figure"):
        numbers(bad)
