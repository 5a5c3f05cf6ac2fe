"""Ordinary use by someone who has never seen the inside: checked by mypy, then run.

What `reveal_type` must say stands behind it; test_shapes.py compares.
"""

from typing import reveal_type

import numpy as np

from attnlib import (
    DecoderLayer,
    Embedding,
    Encoder,
    KVCache,
    MultiHeadAttention,
    SelfAttention,
    Vocabulary,
    attention_vjp,
    attention_weights,
    causal_mask,
    cosine_similarity,
    cross_entropy,
    feed_forward,
    layer_norm,
    padding_mask,
    rotary_embedding,
    scaled_dot_product_attention,
    softmax,
    tokenize,
)

rng = np.random.default_rng(0)
x = rng.normal(size=(2, 5, 12))
query, key, value = (rng.normal(size=(2, 3, 5, 4)) for _ in range(3))

# The README's example.
square = np.array([[1.0, 0.0], [0.0, 1.0]])
print(scaled_dot_product_attention(square, square, square, is_causal=True).round(3))

# Functions: arrays in, arrays out, with all that NumPy's can do.
weights = attention_weights(query, key, mask=causal_mask(5), window=(2, None))
reveal_type(weights)  # ndarray
print(weights.round(2), weights.sum(axis=-1), weights.T.shape, len(weights))
print(np.sum(weights), -weights[0, :, 1:], weights > 0.5, 2 * weights - 1)
for row in weights[0, 0]:
    print(row @ value[0, 0], float(row[0]))
output = scaled_dot_product_attention(
    query, key, value, is_causal=True, sinks=[0.0] * 3
)
reveal_type(output + query)  # ndarray
grads = attention_vjp(query, key, value, output, is_causal=True)
grad_query, grad_key, grad_value = grads
reveal_type(grad_query)  # ndarray
print(rotary_embedding(query, positions=[0, 1, 2, 3, 4]).mean())
worst = np.abs(output - scaled_dot_product_attention(query, key, value)).max()

# Lists become NumPy's arrays.
shares = softmax([[0.0, 1.0], [2.0, 3.0]])
reveal_type(shares)  # ndarray
print(shares.tolist(), shares[0].max(), cosine_similarity([1.0, 0.0], [1, 1]).item())
losses = cross_entropy(np.log(shares), [1, 0])
print(losses.mean(), padding_mask([1, 3], 3)[:, None].shape)
hidden = feed_forward(x, np.ones((12, 7)), None, np.ones((7, 12)), None)
print(layer_norm(hidden + x, np.ones(12), bias=[0.0] * 12).std())

# Layers: made of arrays or lists, called on either.
layer = MultiHeadAttention.random(12, 3, n_kv_heads=1, rng=rng)
reveal_type(layer(x))  # ndarray
print(layer.weights(x, x[:, :2])[0, 0].round(2), layer.w_query.shape, layer.d_k)
own = SelfAttention([[1.0, 0.0]] * 2, [[0.0, 1.0]] * 2, [[1.0]] * 2)
trace = own.trace([[1.0, 2.0], [3.0, 4.0]], tokens=["a", "b"])
print(trace.weights, np.sum(trace.output), trace.scores[0, 1] + 1, own.w_key @ [1, 2])
reveal_type(Encoder.random(2, 12, 3, 24, rng=rng)(x))  # ndarray
decoder = DecoderLayer.random(12, 3, 24, rng=rng, rotary_base=100.0, window=(3, 0))
cache = KVCache()
reveal_type(decoder(x, cache=cache))  # ndarray
print(len(cache), cache.n_bytes)
keys, values = KVCache().append(query[0], value[0])
embedding = Embedding(np.eye(3), Vocabulary(tokenize("I am here")))
reveal_type(embedding(["am", "I"]))  # ndarray
print(embedding([0, 2]).sum(), embedding.table[1] * 2)
