"""Post 2: the encoder and its parts."""

# ruff: noqa: D103 (what each checker recomputes is said in claims.toml)

import numpy as np

from attnlib import (
    Encoder,
    EncoderLayer,
    feed_forward,
    layer_norm,
    relu,
)

from . import posts as ex
from .registry import Found, check

N_TOKENS = 3


def two_layers():
    """Return an encoder of N = 2, its layers, and an input."""
    encoder = Encoder.random(2, 6, 2, 12, rng=np.random.default_rng(0))
    return encoder, *encoder.layers, ex.draw(N_TOKENS, 6)


@check("post2-stack")
def stack():
    encoder, first, second, x = two_layers()
    return np.allclose(encoder(x), second(first(x)))


@check("post2-identical")
def identical():
    _, first, second, x = two_layers()
    same = first.w_1.shape == second.w_1.shape and first.w_2.shape == second.w_2.shape
    return Found(same, facts={"apart": np.abs(first(x) - second(x)).max()})


@check("post2-sublayers")
def sublayers():
    layer = EncoderLayer.random(6, 2, 12, rng=np.random.default_rng(0))
    x = ex.draw(N_TOKENS, 6)

    def forward(h):
        weights = layer.w_1, layer.b_1, layer.w_2, layer.b_2
        return feed_forward(h, *weights, activation=relu)

    h = layer_norm(x + layer.attention(x), layer.gain_1, layer.bias_1)
    wrapped = layer_norm(h + forward(h), layer.gain_2, layer.bias_2)
    bare = np.abs(forward(layer.attention(x)) - layer(x)).max()
    return Found(np.allclose(wrapped, layer(x)), facts={"bare": bare})
