"""Post 1: multi-head attention in outline."""

# ruff: noqa: D103 (what each checker recomputes is said in claims.toml)

import numpy as np

from attnlib import (
    Encoder,
    MultiHeadAttention,
    SelfAttention,
    scaled_dot_product_attention,
)

from . import posts as ex
from .registry import check


@check("post1-head-shape")
def head_shape():
    query, key, value = ex.draw(3, 3, 64)
    return scaled_dot_product_attention(query, key, value).shape


@check("post1-heads-width")
def heads_width():
    heads = ex.draw(8, 3, 64)
    return np.concatenate(list(heads), axis=-1).shape[-1]


@check("post1-encoder-width")
def encoder_width():
    encoder = Encoder.random(1, 512, 8, 64, rng=np.random.default_rng(0))
    return encoder(ex.draw(3, 512)).shape


@check("post1-output-weights")
def output_weights():
    w_query, w_key, w_value, w_output = ex.draw(4, 15, 15)
    x, columns = ex.draw(3, 15, seed=1), np.split(np.arange(15), 5)
    heads = [
        SelfAttention(w_query[:, c], w_key[:, c], w_value[:, c])(x) for c in columns
    ]
    layer = MultiHeadAttention(w_query, w_key, w_value, w_output, n_heads=5)
    return np.allclose(np.concatenate(heads, axis=-1) @ w_output, layer(x))
