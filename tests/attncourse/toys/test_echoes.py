"""Texts with echoes, the layers that learn them, and what is stored of these."""

import numpy as np
import pytest
from scipy.special import stdtrit

from attncourse.toys.echoes import measures as echo_measures
from attncourse.toys.echoes import seeds
from attncourse.toys.echoes.model import (
    LENGTH,
    N_SYMBOLS,
    ORDINARY,
    START,
    Echoer,
    is_echo,
    write_texts,
)
from attncourse.toys.training import STUDENT, interval
from attnlib import cross_entropy, rotary_embedding, scaled_dot_product_attention
from tests.attncourse.toys.slopes import assert_slopes

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


WAYS = [(order, {}) for order in echo_measures.ORDERS]
WAYS += [("rotary", {"empty": True}), ("rotary", {"gated": True})]


@pytest.mark.parametrize(("order", "how"), WAYS)
def test_every_gradient_against_differences(rng, order, how):
    model, texts = Echoer(order, 4, seed=3, **how), write_texts(4, rng)

    def loss():
        return cross_entropy(model(texts[:, :-1]), texts[:, 1:]).mean()

    assert_slopes(model.params, model.gradients(texts), loss, rng)


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


@pytest.mark.release
def test_what_is_stored_is_what_training_gives():
    stored = echo_measures.load()["sinusoids"][1]
    found = echo_measures.measure("sinusoids", 1)
    assert found["right"] == pytest.approx(stored["right"], abs=0.04)
    assert found["on_start"] == pytest.approx(stored["on_start"], abs=0.03)
    assert found["loss"] == pytest.approx(stored["loss"], abs=0.02)


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


@pytest.mark.release
def test_what_is_stored_is_what_training_gives_echo_seeds():
    stored = seeds.load()["rotary"]["empty"][1]
    found = seeds.measure("rotary", "empty", seed=1)
    assert found == pytest.approx(stored, abs=0.04)


@pytest.mark.parametrize("n", STUDENT)
def test_an_interval_is_students_by_scipy(n, rng):
    found = rng.standard_normal((n, 2))
    means, halves = interval(found)
    np.testing.assert_allclose(means, found.mean(axis=0))
    expected = stdtrit(n - 1, 0.975) * found.std(axis=0, ddof=1) / n**0.5
    np.testing.assert_allclose(halves, expected, rtol=1e-3)
