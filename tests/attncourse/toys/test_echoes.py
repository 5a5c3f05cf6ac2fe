"""Texts with echoes, the layers that learn them, and what is stored of these."""

import numpy as np
import pytest

from attncourse.toys.echoes import (
    LENGTH,
    N_SYMBOLS,
    ORDINARY,
    START,
    Echoer,
    is_echo,
    write_texts,
)
from attncourse.toys.echoes import measures as echo_measures
from attnlib import cross_entropy

pytestmark = pytest.mark.slow


def test_texts_keep_their_rule(rng):
    texts = write_texts(300, rng, 40)
    assert texts.shape == (300, 40)
    assert (texts[:, 0] == START).all()
    assert not (texts[:, 1:] == START).any()
    assert not is_echo(texts[:, 1]).any()
    after = is_echo(texts[:, 1:-1])
    np.testing.assert_array_equal(texts[:, 2:][after], texts[:, :-2][after])
    assert 0.1 < after.mean() < 0.25
    plain = ~after & ~is_echo(texts[:, 2:])
    steps = (texts[:, 2:] - texts[:, 1:-1])[plain] % len(ORDINARY)
    assert set(steps.tolist()) == {1, 5}


@pytest.mark.parametrize("order", echo_measures.ORDERS)
def test_every_gradient_against_differences(rng, order):
    model, texts = Echoer(order, 4, seed=3), write_texts(4, rng)
    gradients = model.gradients(texts)
    assert gradients.keys() == model.params.keys()
    for name, grad in gradients.items():
        table, direction = model.params[name], rng.standard_normal(grad.shape)
        losses = []
        for step in (1e-5, -1e-5):
            model.params[name] = table + step * direction
            losses.append(cross_entropy(model(texts[:, :-1]), texts[:, 1:]).mean())
        model.params[name] = table
        slope = (losses[0] - losses[1]) / 2e-5
        assert np.sum(grad * direction) == pytest.approx(slope, rel=1e-5), name


@pytest.mark.parametrize("order", echo_measures.ORDERS)
def test_no_place_sees_what_comes_later(rng, order):
    model, texts = Echoer(order, 8, seed=3), write_texts(4, rng)
    changed = texts.copy()
    changed[:, 9:] = (changed[:, 9:] + 1) % N_SYMBOLS
    before, after = model(texts), model(changed)
    np.testing.assert_allclose(before[:, :9], after[:, :9], rtol=1e-12)
    assert not np.isclose(before[:, 9:], after[:, 9:]).all(axis=-1).any()


@pytest.mark.parametrize("order", echo_measures.ORDERS)
def test_a_mask_forbids(rng, order):
    model, texts = Echoer(order, 8, seed=3), write_texts(4, rng)
    masks = echo_measures.caches()
    for name, mask in masks.items():
        weights = model.weights(texts[:, :-1], mask)
        assert not weights[:, ~mask].any(), name
        np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)
    assert (masks["window"].sum(axis=1) == np.minimum(np.arange(23) + 1, 8)).all()
    more = masks["window and start"] & ~masks["window"]
    assert (np.argwhere(more)[:, 1] == 0).all()
    assert more.sum() == LENGTH - 1 - 8


def test_what_is_stored_has_every_model():
    found = echo_measures.load()
    assert list(found) == list(echo_measures.ORDERS)
    assert {len(models) for models in found.values()} == {len(echo_measures.SEEDS)}


def test_what_is_stored_is_what_training_gives():
    stored = echo_measures.load()["sinusoids"][1]
    found = echo_measures.measure("sinusoids", 1)
    assert found["right"] == pytest.approx(stored["right"], abs=0.04)
    assert found["on_start"] == pytest.approx(stored["on_start"], abs=0.03)
    assert found["loss"] == pytest.approx(stored["loss"], abs=0.02)
