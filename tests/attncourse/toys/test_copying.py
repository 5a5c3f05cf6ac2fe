"""Texts that repeat, and models that copy: gradients, masks, cuts, measures."""

import numpy as np
import pytest

from attncourse.toys.copying import LENGTH, N_SYMBOLS, RUNS, Copier, train, write_texts
from attncourse.toys.copying.measures import cut, disturb, looks, measure
from attnlib import softmax

pytestmark = pytest.mark.slow


def test_texts_repeat_after_their_run(rng):
    texts, runs = write_texts(300, rng)
    assert texts.shape == (300, LENGTH)
    assert (texts.min(), texts.max()) == (0, N_SYMBOLS - 1)
    assert (runs.min(), runs.max()) == RUNS
    for text, run in zip(texts, runs, strict=True):
        np.testing.assert_array_equal(text[run:], text[:-run])


@pytest.mark.parametrize(("n_layers", "n_heads"), [(1, 1), (2, 1), (3, 1), (2, 2)])
def test_every_gradient_against_differences(rng, n_layers, n_heads):
    model, texts = Copier(n_layers, 4, n_heads=n_heads, seed=3), write_texts(4, rng)[0]
    model.params = {k: w.astype(float) for k, w in model.params.items()}
    model.places = model.places.astype(float)
    _, gradients = model.loss_and_gradients(texts)
    assert gradients.keys() == model.params.keys()
    for name, grad in gradients.items():
        slope, table = np.zeros_like(grad), model.params[name]
        for place in np.ndindex(table.shape):
            kept, losses = table[place], []
            for moved in (kept + 1e-5, kept - 1e-5):
                table[place] = moved
                losses.append(model.loss_and_gradients(texts)[0])
            table[place] = kept
            slope[place] = (losses[0] - losses[1]) / 2e-5
        assert np.linalg.norm(grad - slope) <= 1e-6 * np.linalg.norm(slope), name


def test_no_place_sees_what_comes_later(rng):
    model, texts = Copier(2, 8, seed=3), write_texts(4, rng)[0]
    changed = texts.copy()
    changed[:, 9:] = (changed[:, 9:] + 1) % N_SYMBOLS
    before, after = model(texts), model(changed)
    np.testing.assert_array_equal(before[:, :9], after[:, :9])
    assert not np.isclose(before[:, 9:], after[:, 9:]).all(axis=-1).any()


def test_values_are_not_told_their_place(rng):
    model, x = Copier(1, 8, seed=3), rng.standard_normal((3, 8))
    query, key, value = model.project(np.vstack([x, x]), 0)
    np.testing.assert_allclose(value[:3], value[3:], rtol=1e-12)
    assert not np.isclose(query[:3], query[3:]).all(axis=-1).any()
    assert not np.isclose(key[:3], key[3:]).all(axis=-1).any()


def test_weights_are_those_of_each_head_in_turn(rng):
    model, texts = Copier(2, 12, n_heads=3, seed=3), write_texts(4, rng)[0]
    weights = model.weights(texts)
    assert [w.shape for w in weights] == [(4, LENGTH, LENGTH)] * 6
    for layer, x in enumerate(model.layers(texts)[:-1]):
        query, key, _ = model.project(x, layer)
        for head in range(3):
            q, k = (one[..., 4 * head : 4 * head + 4] for one in (query, key))
            scores = q @ np.swapaxes(k, -1, -2) / 2
            scores[..., np.triu(np.ones((LENGTH, LENGTH), bool), 1)] = -np.inf
            found = weights[3 * layer + head]
            np.testing.assert_allclose(found, softmax(scores), atol=1e-6)


def test_a_layer_cut_off_adds_nothing(rng):
    model, texts = Copier(2, 8, seed=3), write_texts(4, rng)[0]
    whole, without = model(texts), model(texts, change=cut(1))
    assert not np.allclose(whole, without)
    model.params["w_output_1"][:] = 0
    np.testing.assert_allclose(without, model(texts), rtol=1e-6)


def test_a_disturbance_is_as_long_as_what_it_is_added_to(rng):
    added = rng.standard_normal((3, 5, 8)).astype(np.float32)
    np.testing.assert_array_equal(disturb(1)(0, added), added)
    noise = disturb(1)(1, added) - added
    lengths = (np.linalg.norm(x, axis=-1) for x in (noise, added))
    np.testing.assert_allclose(*lengths, rtol=1e-5)
    cosines = (noise * added).sum(axis=-1) / (added**2).sum(axis=-1)
    assert abs(cosines.mean()) < 0.5 < np.ptp(cosines)


class ByRule:
    """Says what followed a fixed number of places ago; looks where it is told."""

    def __init__(self, run, looks_at):
        self.run, self.looks_at = run, looks_at

    def __call__(self, texts, *, change=None):
        return 50.0 * np.eye(N_SYMBOLS)[np.roll(texts, self.run - 1, axis=1)]

    def weights(self, texts):
        place = np.arange(texts.shape[1])
        at = np.maximum(place - self.looks_at, 0)
        return [
            np.broadcast_to(np.eye(len(place))[at], (len(texts), *[len(place)] * 2))
        ]


def test_measures_by_hand():
    run = np.arange(7)
    text, runs = np.tile(run, 4)[None, :LENGTH], np.array([7])
    new, repeated, right = measure(ByRule(7, 1), text, runs)
    assert (repeated, right) == (pytest.approx(0, abs=1e-9), 1.0)
    shown = softmax(50.0 * np.eye(N_SYMBOLS)[0])  # all is said to one wrong symbol
    assert new == pytest.approx(-np.log(shown[1]), rel=1e-6)
    assert measure(ByRule(8, 1), text, runs)[2] == 0
    assert looks(ByRule(7, 1), text, runs) == ([1.0], [0.0])
    assert looks(ByRule(7, 6), text, runs) == ([pytest.approx(1 / 6)], [1.0])
    assert looks(ByRule(7, 3), text, runs)[1] == [0.0]


def test_two_layers_learn_and_one_seed_gives_one_result():
    found = []
    for _ in range(2):
        model = Copier(2, 32, seed=1)
        found.append(list(train(model, 20, seed=1, learning_rate=0.01)))
    assert found[0] == found[1]
    assert [step for step, _ in found[0]] == list(range(21))
    assert found[0][-1][1] < found[0][0][1] - 0.2
