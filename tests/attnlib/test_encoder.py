import dataclasses
from collections import Counter
from functools import partial

import numpy as np
import pytest

from attnlib import (
    Encoder,
    EncoderLayer,
    MultiHeadAttention,
    causal_mask,
    gelu,
    multi_head,
    padding_mask,
    relu,
)
from attnlib import encoder as encoder_module
from tests.attnlib import oracle

SHAPES = {
    **{"w_1": (15, 11), "b_1": (11,), "w_2": (11, 15), "b_2": (15,)},
    **{"gain_1": (15,), "bias_1": (15,), "gain_2": (15,), "bias_2": (15,)},
}


def layer_of(xp, rng, **options):
    """Three heads of five columns, d_ff = 11, and no number that is 0 or 1."""
    weights = [xp.asarray(rng.normal(size=(15, 15)) / 4) for _ in range(4)]
    attention = MultiHeadAttention(*weights, n_heads=3)
    rest = {name: xp.asarray(rng.normal(size=s)) for name, s in SHAPES.items()}
    return EncoderLayer(attention, **rest, **options)


def loops(layer, x, **how):
    """Encode one sequence with plain loops."""
    attention = layer.attention
    names = ("w_query", "w_key", "w_value", "w_output")
    weights = [np.asarray(getattr(attention, name)) for name in names]
    rest = {name: np.asarray(getattr(layer, name)) for name in SHAPES}
    act = oracle.gelu if layer.activation is gelu else lambda z: max(0.0, z)

    def attend(x):
        return oracle.multi_head(x, x, *weights, attention.n_heads, [None] * 4, **how)

    def transform(x):
        hidden = oracle.project(x, rest["w_1"], rest["b_1"])
        hidden = [[act(z) for z in row] for row in hidden]
        return oracle.project(hidden, rest["w_2"], rest["b_2"])

    def norm(x, i):
        return oracle.layer_norm(x, rest[f"gain_{i}"], rest[f"bias_{i}"], layer.eps)

    for i, step in ((1, attend), (2, transform)):
        if layer.norm_first:
            x = oracle.add(x, step(norm(x, i)))
        else:
            x = norm(oracle.add(x, step(x)), i)
    return x


@pytest.mark.parametrize("activation", [relu, gelu])
@pytest.mark.parametrize("norm_first", [False, True])
def test_against_loops(xp, rng, norm_first, activation):
    options = {"norm_first": norm_first, "activation": activation, "eps": 0.3}
    layer = layer_of(xp, rng, **options)
    x, mask = rng.normal(size=(7, 15)), rng.random((7, 7)) < 0.6
    expected = loops(layer, x.tolist(), allowed=mask)
    got = layer(xp.asarray(x), mask=xp.asarray(mask))
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-10, atol=1e-12)


def test_post_norm_relu_and_small_eps_unless_asked(rng):
    layer = layer_of(np, rng)
    assert (layer.norm_first, layer.activation, layer.eps) == (False, relu, 1e-5)


def test_padding_does_not_reach_the_words(rng):
    encoder, x = Encoder.random(2, 15, 3, 11, rng=rng), rng.normal(size=(1, 7, 15))
    padded = encoder(x, mask=padding_mask([4], 7))
    np.testing.assert_allclose(padded[:, :4], encoder(x[:, :4]), rtol=1e-10, atol=1e-13)


def test_missing_biases_are_zeros(rng):
    full = layer_of(np, rng)
    names = ("b_1", "b_2", "bias_1", "bias_2")
    zeros = {name: np.zeros(SHAPES[name]) for name in names}
    x = rng.normal(size=(7, 15))
    without = dataclasses.replace(full, **dict.fromkeys(names))
    expected = dataclasses.replace(full, **zeros)(x)
    np.testing.assert_allclose(without(x), expected, rtol=1e-13)


def test_an_encoder_runs_its_layers_in_order(rng):
    layers = [layer_of(np, rng) for _ in range(3)]
    x, mask = rng.normal(size=(2, 7, 15)), rng.random((2, 7, 7)) < 0.6
    expected = x
    for layer in layers:
        expected = layer(expected, mask=mask, is_causal=True)
    got = Encoder(layers)(x, mask=mask, is_causal=True)
    np.testing.assert_array_equal(got, expected)


def test_a_stack_validates_its_input_once(rng, monkeypatch):
    counts = Counter()

    def count(module, name):
        original = getattr(module, name)

        def counting(*args, **how):
            counts[name] += 1
            return original(*args, **how)

        monkeypatch.setattr(module, name, counting)

    count(encoder_module, "prepare")
    count(multi_head, "check_options")
    encoder = Encoder.random(6, 15, 3, 11, rng=rng)
    encoder(rng.normal(size=(7, 15)), mask=causal_mask(7))
    assert counts == {"prepare": 1, "check_options": 1}


def test_layers_with_different_numbers_of_heads(rng):
    """A mask for every head must then fit them all."""
    layers = [EncoderLayer.random(12, n, 5, rng=rng) for n in (3, 4)]
    x = rng.normal(size=(7, 12))
    encoder, shared = Encoder(layers), rng.random((7, 7)) < 0.6
    expected = layers[1](layers[0](x, mask=shared), mask=shared)
    np.testing.assert_allclose(encoder(x, mask=shared), expected, rtol=1e-12)
    for n in (3, 4):
        with pytest.raises(ValueError, match=r"^Encoder: mask must broadcast"):
            encoder(x, mask=np.ones((n, 7, 7), bool))


def test_a_mask_of_fewer_axes_than_a_large_batch(rng):
    """Shared by all heads: 3 items of the batch must not be taken for 3 heads."""
    layer, x = layer_of(np, rng), rng.normal(size=(2, 3, 7, 15))
    mask = rng.random((3, 7, 7)) < 0.6
    whole = Encoder([layer, layer])(x, mask=mask)
    one = Encoder([layer, layer])(x[1, 2], mask=mask[2])
    np.testing.assert_allclose(whole[1, 2], one, rtol=1e-9, atol=1e-12)


def test_float16_is_rounded_after_the_last_layer_only(rng):
    layer = layer_of(np, rng)
    names = ("w_query", "w_key", "w_value", "w_output")
    weights = [getattr(layer.attention, name).astype(np.float16) for name in names]
    rest = {name: getattr(layer, name).astype(np.float16) for name in SHAPES}
    layer = EncoderLayer(MultiHeadAttention(*weights, n_heads=3), **rest)
    x = rng.normal(size=(13, 7, 15)).astype(np.float16)
    wide = Encoder([layer] * 2)(x.astype(np.float32))
    got = Encoder([layer] * 2)(x)
    np.testing.assert_array_equal(got, wide.astype(np.float16))


def test_random(rng):
    layer = EncoderLayer.random(200, 8, 300, rng=rng)
    assert layer.w_1.shape == (200, 300)
    assert layer.w_2.shape == (300, 200)
    assert layer.w_1.var() == pytest.approx(1 / 200, rel=0.02)
    assert layer.w_2.var() == pytest.approx(1 / 300, rel=0.02)
    for gain, bias in ((layer.gain_1, layer.bias_1), (layer.gain_2, layer.bias_2)):
        assert (gain == 1).all()
        assert not bias.any()
    assert not layer.b_1.any()
    assert not layer.b_2.any()
    layer.gain_1[0] = 7  # arrays of its own
    assert layer.gain_2[0] == 1
    encoder = Encoder.random(3, 20, 4, 30, rng=rng)
    assert len(encoder.layers) == 3
    assert len({float(layer.w_1[0, 0]) for layer in encoder.layers}) == 3


def test_printed(rng):
    layer = layer_of(np, rng)
    assert repr(layer) == "EncoderLayer(d_model=15, n_heads=3, d_ff=11, float64)"
    encoder = Encoder([layer, layer])
    assert repr(encoder) == "Encoder(n_layers=2, d_model=15, float64)"


def build(attention=None, **changes):
    if attention is None:
        attention = MultiHeadAttention(*[np.ones((15, 15))] * 4, n_heads=3)
    options = {
        name: changes.pop(name) for name in ("activation", "eps") if name in changes
    }
    shapes = SHAPES | changes
    arrays = {name: np.ones(shape) for name, shape in shapes.items()}
    return EncoderLayer(attention, **arrays, **options)


X = np.ones((2, 7, 15))
FOR_THREE = np.ones((3, 7, 7), bool)
layer = partial(EncoderLayer.random, rng=np.random.default_rng(0))
stack = partial(Encoder.random, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: build(attention=3), "Layer: attention must be a MultiHeadAttention"),
        (lambda: build(w_1=(14, 11)), r"Layer: w_1 must map .* got w_1 \(14, 11\) and"),
        (lambda: build(w_2=(11, 14), b_2=(14,)), r"Layer: w_1 must map .* w_2 \(11"),
        (lambda: build(w_2=(10, 15)), r"Layer: w_2 must have as many rows .* \(10"),
        (lambda: build(b_1=(15,)), r"Layer: b_1 must have shape \(11,\), got b_1"),
        (lambda: build(gain_1=(11,)), r"Layer: gain_1 must have shape \(15,\), got"),
        (lambda: build(bias_2=(11,)), r"Layer: bias_2 must have shape \(15,\), got"),
        (lambda: build(activation="relu"), r"Layer: activation must be a function"),
        (lambda: build(eps=-1), r"Layer: eps must not be negative, got eps -1"),
        (lambda: build()(X[..., :14]), "Layer: x must have rows of d_model = 15, got"),
        (lambda: build()(X[0, 0]), r"Layer: x must have shape .* got x \(15,\)$"),
        (lambda: build()(X, mask=np.ones((7, 7), int)), r"Layer: mask must be boolean"),
        (lambda: build()(X, mask=FOR_THREE), r"Layer: mask must .* \(2, 7, 7\), got"),
        (lambda: Encoder([]), r": layers must be a list of at least one EncoderLayer"),
        (lambda: Encoder(3), ": layers must be a list of at least one EncoderLayer"),
        (lambda: Encoder([build(), 3]), r": layers must be a list of at least one Enc"),
        (lambda: Encoder([build(), layer(6, 2, 5)]), r": all .* d_model \[6, 15\]$"),
        (lambda: Encoder([build()])(X[..., :14]), ": x must have rows of d_model ="),
        (lambda: Encoder([build()])(X, mask=X > 0), r": mask must broadcast .* \(2"),
        (lambda: stack(0, 6, 2, 5), ".random: n_layers must be .* got n_layers 0$"),
        (lambda: layer(6, 2, 0), "Layer.random: d_ff must be .* got d_ff 0$"),
        (lambda: layer(6, 4, 5), "Layer.random: d_model must be div.* d_model 6"),
        (lambda: layer(6, 2, 5, rng=0), "Layer.random: rng must be a"),
        (lambda: stack(1, 6, 4, 5), ".random: d_model must be"),
        (lambda: stack(1, 6, 2, 5, rng=None), ".random: rng must be a numpy"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=f"^Encoder{message}"):
        call()
