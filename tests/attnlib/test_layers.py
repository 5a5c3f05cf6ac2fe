"""All layers are frozen, and compare by identity."""

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
