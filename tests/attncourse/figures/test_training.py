"""Lesson 10's live figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse.figures.training import live
from attncourse.figures.training.live import (
    ALPHABET,
    LETTERS,
    MODELS,
    NUMBERS,
    STEPS,
    history,
)
from attncourse.toys.card_game import deal


@pytest.fixture(scope="module")
def panel():
    return live.panel(step=60, model="no scale")


@pytest.mark.slow
def test_values_follow_the_controls():
    panel = live.panel()
    assert panel.values == {"step": 0, "model": "whole model"}
    panel.controls["step"].value, panel.controls["model"].value = 120, "no attention"
    assert panel.values == {"step": 120, "model": "no attention"}
    np.testing.assert_allclose(panel.compute().weights, 1 / 6, rtol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_each_moment_is_kept_as_it_was(name):
    test = deal(200, np.random.default_rng(1))
    for step in (0, 60, 120):
        now = history(name)[step]
        again = now.model(LETTERS, NUMBERS)
        np.testing.assert_array_equal(now.probabilities, again)
        weights = now.model.weights(LETTERS, NUMBERS)[0]
        np.testing.assert_array_equal(now.weights, weights)
        assert now.accuracy == now.model.accuracy(*test)
        assert now.loss == now.model.loss_and_gradients(*test)[0]
    assert history(name)[0].loss > history(name)[120].loss


def test_the_whole_model_finds_the_cards_named():
    now = live.panel(step=120).compute()
    np.testing.assert_array_equal(now.weights.argmax(axis=-1), NUMBERS)
    answers = LETTERS[NUMBERS]
    np.testing.assert_array_equal(now.probabilities.argmax(axis=-1), answers)


def test_saved_numbers_are_those_of_attnlib(panel):
    saved = panel.view
    assert saved.steps == list(STEPS)
    assert saved.answers == LETTERS[NUMBERS].tolist()
    assert LETTERS[saved.named].tolist() == saved.answers
    for i, name in enumerate(MODELS):
        for j, now in enumerate(history(name).values()):
            np.testing.assert_allclose(saved.weights[i][j], now.weights, atol=1e-4)
            shares = saved.probabilities[i][j]
            np.testing.assert_allclose(shares, now.probabilities, atol=1e-4)
            assert saved.losses[i][j] == pytest.approx(now.loss, abs=1e-4)
            assert saved.accuracies[i][j] == pytest.approx(now.accuracy, abs=1e-4)


def test_saved_state_is_plain_json(panel):
    state = {k: v for k, v in panel.view.get_state().items() if k != "layout"}
    assert json.loads(json.dumps(state, allow_nan=False)).keys() == state.keys()


def test_repr_carries_the_numbers(panel):
    now = panel.compute()
    start = f"Model “no scale” after 60 steps: loss {now.loss:.2f}, accuracy"
    assert repr(panel).startswith(start)
    says = ALPHABET[now.probabilities.argmax(axis=-1)]
    for row, letter in zip(now.weights, says, strict=True):
        assert f"{', '.join(f'{w:.2f}' for w in row)}, says {letter}" in repr(panel)


def test_still_picture_and_view_are_both_offered(panel):
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')
    assert data["text/plain"] == repr(panel)


@pytest.mark.parametrize(
    "bad", [{"step": 7}, {"step": None}, {"step": True}, {"model": "no heads"}]
)
def test_other_steps_and_models_are_refused(bad):
    with pytest.raises(ValueError, match=rf"training: {next(iter(bad))} must be one"):
        live.panel(**bad)
