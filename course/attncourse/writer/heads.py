"""Where the writer's heads look, and what is lost without one."""

from dataclasses import replace

import numpy as np

from attnlib import Decoder, attention_weights, rms_norm, rotary_embedding
from attnlib.heads import split_heads


def weights_of(decoder, ids):
    """Return who looks at whom, in every head.

    Parameters
    ----------
    decoder : attnlib.Decoder
        With rotary positions, as the writer has.
    ids : array of int, (..., n_tokens)

    Returns
    -------
    array, (n_layers, ..., n_heads, n_tokens, n_tokens)
    """
    x, found = decoder.embedding(ids), []
    for layer in decoder.layers:
        normal, parts = rms_norm(x, layer.gain_1), layer.attention
        query, key = (
            rotary_embedding(split_heads(normal @ w, parts.n_heads))
            for w in (parts.w_query, parts.w_key)
        )
        found.append(attention_weights(query, key, is_causal=True))
        x = layer(x)
    return np.stack(found)


def without_head(decoder, layer, head):
    """Return the decoder with one head cut: what it hands over becomes 0."""
    layers = list(decoder.layers)
    attention = layers[layer].attention
    w_output, d_k = attention.w_output.copy(), decoder.d_model // attention.n_heads
    w_output[head * d_k : (head + 1) * d_k] = 0
    cut = replace(attention, w_output=w_output)
    layers[layer] = replace(layers[layer], attention=cut)
    return replace_layers(decoder, layers)


def with_window(decoder, window):
    """Return the decoder with words that see only so many words before them."""
    layers = [replace(layer, window=window) for layer in decoder.layers]
    return replace_layers(decoder, layers)


def replace_layers(decoder, layers):
    """Return a decoder with other layers between the same ends."""
    return Decoder(decoder.embedding, layers, gain=decoder.gain, eps=decoder.eps)
