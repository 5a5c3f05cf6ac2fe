"""Lesson 6's live figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse import examples
from attncourse.figures.multi_head import live
from attncourse.figures.multi_head.live import OTHER, OWN
from attnlib import scaled_dot_product_attention

X, LAYER = examples.three_words()


@pytest.fixture(scope="module")
def panel():
    return live.panel(n_heads=2, word=3, mixing=0.5)


def by_hand(n_heads, mixing):
    """One head after another, by slices of columns: the weights, and the output."""
    query, key, value = LAYER.project(X)
    columns = np.split(np.arange(4), n_heads)
    parts = [[a[:, own] for a in (query, key, value)] for own in columns]
    scores = [q @ k.T / np.sqrt(q.shape[1]) for q, k, _ in parts]
    weights = [np.exp(s) / np.exp(s).sum(axis=1, keepdims=True) for s in scores]
    heads = [w @ v for w, (_, _, v) in zip(weights, parts, strict=True)]
    for head, part in zip(heads, parts, strict=True):
        np.testing.assert_allclose(head, scaled_dot_product_attention(*part))
    mixed = np.concatenate(heads, axis=1)
    return weights, mixed, mixed + mixing * mixed[:, [2, 3, 0, 1]]


def test_values_follow_the_sliders():
    panel = live.panel()
    assert panel.values == {"n_heads": 1, "word": 2, "mixing": 0.0}
    panel.children[0].value = 4
    panel.children[2].value = 0.3
    assert panel.values == {"n_heads": 4, "word": 2, "mixing": 0.3}


@pytest.mark.parametrize("n_heads", [1, 2, 4])
@pytest.mark.parametrize("mixing", [0.0, 0.7])
def test_compute_is_every_head_by_hand(n_heads, mixing):
    steps = live.panel(n_heads, mixing=mixing).compute()
    weights, concatenated, output = by_hand(n_heads, mixing)
    np.testing.assert_allclose(steps.weights, weights, rtol=1e-12)
    np.testing.assert_allclose(steps.concatenated, concatenated, rtol=1e-12)
    np.testing.assert_allclose(steps.output, output, rtol=1e-12)


def test_one_head_is_lesson_5():
    steps = live.panel(n_heads=1).compute()
    np.testing.assert_allclose(steps.output, LAYER(X), rtol=1e-12)
    np.testing.assert_allclose(steps.weights[0], LAYER.trace(X).weights, rtol=1e-12)


def test_the_page_gets_what_attnlib_computed(panel):
    view = panel.children[-1]
    for place, n_heads in enumerate(view.heads):
        steps = live.panel(n_heads).compute()
        np.testing.assert_allclose(view.weights[place], steps.weights, atol=1e-6)
        saved = view.concatenated[place]
        np.testing.assert_allclose(saved, steps.concatenated, atol=1e-6)
    np.testing.assert_allclose(view.query, X @ LAYER.w_query)
    np.testing.assert_allclose(view.own + 0.5 * np.array(view.other), OWN + 0.5 * OTHER)


def test_text_carries_the_numbers(panel):
    steps = panel.compute()
    for number in [*steps.weights[:, 2].flat, *steps.output[2]]:
        assert f"{number:.3f}" in repr(panel)


def test_state_is_json(panel):
    state = json.dumps(panel.children[-1].get_state(), allow_nan=False)
    assert "NaN" not in state


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"n_heads": 3}, "n_heads must be 1, 2 or 4, got n_heads 3"),
        ({"word": 0}, "word must be"),
        ({"word": 4}, "word must be"),
        ({"mixing": 1.5}, "mixing must be"),
        ({"mixing": float("nan")}, "mixing must be"),
    ],
)
def test_bad_value_is_refused(bad, says):
    with pytest.raises(ValueError, match=rf"multi_head: .*{says}"):
        live.panel(**bad)
