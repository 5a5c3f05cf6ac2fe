"""Lesson 10's live figure: what it keeps of each training."""

import numpy as np
import pytest

from attncourse.figures.training import live
from attncourse.figures.training.live import (
    ALPHABET,
    LETTERS,
    NUMBERS,
    STEPS,
    history,
    sent,
)
from attncourse.toys.card_game import CardReader, deal, train
from tests.attncourse.figures.conftest import run


def test_each_moment_is_kept_as_it_was():
    test, kept = deal(200, np.random.default_rng(1)), history("no scale")
    model = CardReader(scale=1.0)
    for step, _ in train(model, 60):
        if step in (0, 60):
            at = STEPS.index(step)
            expected = {
                "weights": model.weights(LETTERS, NUMBERS)[0],
                "probabilities": model(LETTERS, NUMBERS),
                "losses": model.loss_and_gradients(*test)[0],
                "accuracies": model.accuracy(*test),
            }
            for key, value in expected.items():
                np.testing.assert_allclose(kept[key][at], value, atol=1e-4)
    assert kept["losses"][0] > kept["losses"][-1]


@pytest.mark.parametrize("name", live.MODELS)
def test_what_the_page_is_sent_is_what_it_writes(name):
    kept, rows = history(name), sent(name)
    for key, at in {"weights": slice(36), "losses": 42, "accuracies": 43}.items():
        shown = rows[at].T.ravel() / 100
        np.testing.assert_allclose(shown, np.ravel(kept[key]), atol=0.005001)
    likeliest = np.argmax(kept["probabilities"], axis=-1)
    np.testing.assert_array_equal(rows[44:].T, likeliest)


def test_the_whole_model_finds_the_cards_named():
    now = live.panel(step=120).compute()
    np.testing.assert_array_equal(now.weights.argmax(axis=-1), NUMBERS)
    np.testing.assert_array_equal(now.says, ALPHABET[LETTERS[NUMBERS]])
    assert now.n_right == 6


def test_without_attention_all_cards_weigh_the_same():
    now = live.panel(step=120, model="no attention").compute()
    np.testing.assert_allclose(now.weights, 1 / 6, atol=0.005)


def test_curve_of_losses_stands_on_its_axes(rng):
    left, right, top, foot = 30, 314, 10, 130  # the axes, as training.js draws them
    losses = rng.uniform(0, 3, 7)
    (points,) = run([["training/live", "places", [*losses], 3]])
    x, y = np.transpose(points)
    np.testing.assert_allclose(x, np.linspace(left, right, 7), rtol=1e-12)
    np.testing.assert_allclose(y, foot - (foot - top) * losses / 3, rtol=1e-12)
