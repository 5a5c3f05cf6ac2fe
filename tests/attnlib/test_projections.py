"""Projections, heads, and what layers have in common."""

import dataclasses

import numpy as np
import pytest

from attnlib import (
    Decoder,
    DecoderLayer,
    Embedding,
    Encoder,
    EncoderLayer,
    MultiHeadAttention,
    SelfAttention,
)
from attnlib.heads import merge_heads, split_heads
from attnlib.projections import project, random_weight
from tests.attnlib import oracle


def test_against_loops(xp, rng):
    x, weight, bias = (rng.normal(size=size) for size in ((3, 5), (5, 7), 7))
    got = project(xp.asarray(x), xp.asarray(weight), xp.asarray(bias))
    expected = oracle.project(x, weight, bias)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12)


def test_random_weights_keep_the_variance(rng):
    weight = random_weight(rng, 400, 300)
    assert weight.shape == (400, 300)
    assert weight.var() == pytest.approx(1 / 400, rel=0.02)
    assert weight.mean() == pytest.approx(0, abs=0.001)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((3, 5), (7, 5), None), r"rows of x must .* x \(3, 5\) and weight \(7, 5\)$"),
        (((3, 5), (5,), None), r"weight must be a matrix .* got weight \(5,\)$"),
        (((3, 5), (5, 0), None), r"weight must be a matrix .* got weight \(5, 0\)$"),
        (((3, 5), (5, 7), (5,)), r"bias must have shape \(7,\), got bias \(5,\)$"),
        (((5,), (5, 7), None), r"x must have shape .* got x \(5,\)$"),
    ],
)
def test_errors(shapes, message):
    x, weight, bias = (None if s is None else np.ones(s) for s in shapes)
    with pytest.raises(ValueError, match=f"^project: {message}"):
        project(x, weight, bias)


def test_head_h_takes_its_columns(xp):
    x = np.arange(2 * 5 * 21).reshape(2, 5, 21)
    heads = np.asarray(split_heads(xp.asarray(x), 3))
    assert heads.shape == (2, 3, 5, 7)
    for h in range(3):
        np.testing.assert_array_equal(heads[:, h], x[..., 7 * h : 7 * (h + 1)])


def test_merging_undoes_splitting(xp):
    x = np.arange(2 * 5 * 21).reshape(2, 5, 21)
    merged = merge_heads(split_heads(xp.asarray(x), 3))
    np.testing.assert_array_equal(np.asarray(merged), x)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: split_heads(np.ones((5, 12)), 5),
            "^split_heads: .* 12 and n_heads 5$",
        ),
        (lambda: split_heads(np.ones((5, 12)), 0), r"^split_heads: n_heads must be"),
        (lambda: split_heads(np.ones(12), 3), r"^split_heads: x must have shape"),
        (lambda: merge_heads(np.ones((5, 12))), r"^merge_heads: heads must have shape"),
    ],
)
def test_errors_heads(call, message):
    with pytest.raises(ValueError, match=message):
        call()


RNG = np.random.default_rng(7)
LAYERS = [
    Embedding(np.ones((3, 4))),
    SelfAttention.random(4, 3, rng=RNG),
    SelfAttention.random(4, 3, rng=RNG).trace(np.ones((5, 4))),
    MultiHeadAttention.random(6, 3, rng=RNG),
    EncoderLayer.random(6, 3, 5, rng=RNG),
    Encoder.random(2, 6, 3, 5, rng=RNG),
    DecoderLayer.random(6, 3, 5, rng=RNG),
    Decoder.random(2, 7, 6, 3, 5, rng=RNG),
]
each_layer = pytest.mark.parametrize("layer", LAYERS, ids=lambda x: type(x).__name__)


@each_layer
def test_frozen(layer):
    name = dataclasses.fields(layer)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(layer, name, None)


@each_layer
def test_equal_to_itself_alone(layer):
    """Comparing arrays number by number would have no single answer."""
    twin = dataclasses.replace(layer)
    assert layer == layer
    assert layer != twin
    assert len({layer, twin}) == 2


@each_layer
def test_printed_in_its_own_way(layer):
    assert "array(" not in repr(layer)


def test_arrays_of_a_layer_are_its_own(rng):
    """What is done to the arrays that came in does not reach a frozen layer."""
    weights = [rng.normal(size=(4, 4)) for _ in range(4)]
    table = rng.normal(size=(7, 4))
    x = rng.normal(size=(5, 4))
    calls = [
        (SelfAttention(*weights[:3]), x),
        (MultiHeadAttention(*weights, n_heads=2), x),
        (Embedding(table), [3, 1]),
    ]
    before = [layer(given) for layer, given in calls]
    for array in (*weights, table):
        array[:] = 7
    for (layer, given), expected in zip(calls, before, strict=True):
        np.testing.assert_array_equal(layer(given), expected)
