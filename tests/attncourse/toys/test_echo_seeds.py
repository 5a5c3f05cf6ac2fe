"""Echo models with an empty key, and rotations stretched for longer texts."""

import numpy as np
import pytest

from attncourse.toys.echoes import measures, seeds
from attncourse.toys.echoes.model import Echoer, write_texts
from attnlib import (
    cross_entropy,
    rotary_embedding,
    scaled_dot_product_attention,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("order", ["sinusoids", "rotary", "alibi"])
def test_the_empty_key_is_a_sink_of_zero(rng, order):
    """As attnlib has it: one more 1 in the sum below the line."""
    model, texts = Echoer(order, 8, seed=3, empty=True), write_texts(4, rng)
    plain = Echoer(order, 8, seed=3)
    _, (query, key, value) = plain.project(plain.params["symbol"][texts])
    how = plain.how(texts.shape[-1])
    expected = scaled_dot_product_attention(query, key, value, sinks=0.0, **how)
    _, projected = model.project(model.params["symbol"][texts])
    how = model.how(texts.shape[-1])
    np.testing.assert_allclose(
        scaled_dot_product_attention(*projected, **how), expected, atol=1e-12
    )
    weights = model.weights(texts)
    assert weights.shape == plain.weights(texts).shape
    assert (weights.sum(axis=-1) < 1).all()


@pytest.mark.parametrize("kind", ["empty", "gated"])
def test_every_gradient_with_an_empty_key_or_a_gate(rng, kind):
    model, texts = Echoer("rotary", 4, seed=3, **{kind: True}), write_texts(4, rng)
    assert model.gradients(texts).keys() == model.params.keys()
    for name, grad in model.gradients(texts).items():
        table, direction = model.params[name], rng.standard_normal(grad.shape)
        losses = []
        for step in (1e-5, -1e-5):
            model.params[name] = table + step * direction
            losses.append(cross_entropy(model(texts[:, :-1]), texts[:, 1:]).mean())
        model.params[name] = table
        slope = (losses[0] - losses[1]) / 2e-5
        assert np.sum(grad * direction) == pytest.approx(slope, rel=1e-5), name


def test_a_gate_multiplies_what_the_head_brings(rng):
    model, texts = Echoer("rotary", 8, seed=3, gated=True), write_texts(4, rng)
    plain = Echoer("rotary", 8, seed=3)
    model.params["w_gate"][:] = 0  # then every gate is one half
    plain.params["w_output"] = plain.params["w_output"] / 2
    np.testing.assert_allclose(model(texts), plain(texts), atol=1e-12)


def test_stretches_by_hand():
    plain = seeds.stretched("none", 8)
    assert seeds.stretched("interpolation", 8) == pytest.approx(plain / 8)
    ntk, yarn = seeds.stretched("NTK", 8), seeds.stretched("YaRN", 8)
    assert ntk[0] == plain[0] == yarn[0]  # the fastest pair is left alone
    assert ntk[-1] == pytest.approx(plain[-1] / 8)
    assert yarn[-1] == pytest.approx(plain[-1] / 8)
    for one in (ntk, yarn):
        assert (plain / 8 <= one + 1e-15).all()
        assert (one <= plain + 1e-15).all()
        assert (np.diff(one) < 0).all()
    for kind in seeds.STRETCHES:
        assert seeds.stretched(kind, 1) == pytest.approx(plain)


def test_a_model_turns_by_the_frequencies_it_is_given(rng):
    model, texts = Echoer("rotary", 8, seed=3), write_texts(4, rng)
    before = model(texts)
    model.frequencies = seeds.stretched("none", 1, d_k=8)
    np.testing.assert_allclose(model(texts), before, atol=1e-12)
    model.frequencies = seeds.stretched("interpolation", 2, d_k=8)
    assert not np.allclose(model(texts), before)
    query = model.params["symbol"][texts]
    half = rotary_embedding(query, positions=np.arange(24) / 2)
    np.testing.assert_allclose(model._turn(query), half, atol=1e-12)


def test_what_is_stored_is_what_training_gives():
    stored = seeds.load()["rotary"]["empty"][1]
    found = seeds.measure("rotary", "empty", seed=1)
    assert found == pytest.approx(stored, abs=0.04)


def test_every_seed_is_stored():
    for order, kinds in seeds.load().items():
        assert order in seeds.ORDERS
        found = {name: len(runs) for name, runs in kinds.items()}
        assert found == dict.fromkeys(seeds.MODELS, seeds.N_SEEDS)
    for run in seeds.load()["rotary"]["plain"]:
        assert {kind: len(x) for kind, x in run["right"].items()} == dict.fromkeys(
            seeds.STRETCHES, len(seeds.LENGTHS)
        )


def test_an_interval_of_ten_numbers():
    mean, half = seeds.interval(np.arange(10))
    assert mean == 4.5
    assert half == pytest.approx(2.262 * np.std(np.arange(10), ddof=1) / 10**0.5)
    assert measures.WINDOW == 8
