"""Post 2: “I am good”, 3 × 512, and the four steps."""

import numpy as np

from attnlib import (
    Encoder,
    EncoderLayer,
    SelfAttention,
    attention_weights,
    dot_product_scores,
    feed_forward,
    layer_norm,
    relu,
    scale_scores,
    scaled_dot_product_attention,
    softmax,
    tokenize,
)

from . import posts as ex
from .measures import (
    are_probabilities,
    gradients_with_scale,
    jacobian,
    outcome,
    own_largest,
    prefers,
    row_by_row,
)
from .registry import Found, checks

# ruff: noqa: D103 (each function is the checker of the claim of its name)


N_TOKENS, D_MODEL, D_K = 3, 512, 64


def _full_size():
    """Return a seeded 3 × 512 input and three 512 × 64 weight matrices."""
    return ex.draw(N_TOKENS, D_MODEL), ex.draw(3, D_MODEL, D_K, seed=1)


def embedding_values():
    weights = attention_weights(ex.I_AM_GOOD, ex.I_AM_GOOD)
    favorite = tokenize("I am good")[int(weights[0].argmax())]
    sizes = {"printed": ex.I_AM_GOOD.size, "all": N_TOKENS * D_MODEL}
    return Found(None, facts={"favorite": favorite, **sizes})


def qkv_shape():
    x, weights = _full_size()
    trace = SelfAttention(*weights).trace(x)
    assert trace.query.shape == trace.key.shape == trace.value.shape
    return Found(trace.query.shape, facts={"rows": D_MODEL, "columns": D_K})


def rows_are_words():
    x, weights = _full_size()
    return all(np.allclose((x @ weights)[:, i], x[i] @ weights) for i in range(3))


def keys_of_am():
    query, key = ex.draw(2, N_TOKENS, D_K)
    return dot_product_scores(query, key)[1].size


def stable_gradients():
    found = gradients_with_scale(n_tokens=N_TOKENS, d_k=D_K)
    query, key = ex.draw(2, 500, N_TOKENS, D_K)
    before = dot_product_scores(query, key).std()
    spread = {"before": before, "after": scale_scores(before, D_K)}
    return Found(found.value, facts={**found.facts, **spread})


def normalizing_gradients():
    weights = softmax(ex.draw(N_TOKENS, N_TOKENS))
    back = np.einsum("nij,nj->ni", jacobian(weights), ex.draw(N_TOKENS, 3, seed=1))
    rows = back.sum(axis=-1)
    return Found(np.abs(rows).max(), facts={"scores": weights[0].sum()})


def percentages():
    lead = np.log(ex.PERCENTAGES[0, 0] / ex.PERCENTAGES[0, 1]) * np.sqrt(D_K)
    return Found(None, facts={"lead": lead})


def percentages_sum():
    sums = ex.PERCENTAGES.sum(axis=-1)
    return Found(None, facts={"least": sums.min(), "most": sums.max()})


def z1_mixture():
    scores = np.log(ex.PERCENTAGES)  # softmax of these gives the percentages back
    shares = 100 * (softmax(scores) @ np.eye(3))[0]
    names = ("first", "second", "third")
    return Found(None, facts=dict(zip(names, shares, strict=True)))


def formula():
    x, weights = _full_size()
    query, key, value = x @ (weights / np.sqrt(D_MODEL))
    steps = softmax(scale_scores(dot_product_scores(query, key), D_K)) @ value
    same = np.allclose(steps, scaled_dot_product_attention(query, key, value))
    return Found(same, facts={"error": outcome(np.multiply, query, key.T)})


def summary_formula():
    query, key = ex.draw(2, N_TOKENS, D_K)
    as_written = scale_scores(softmax(dot_product_scores(query, key)), D_K)
    (row_sum,) = set(as_written.sum(axis=-1).round(12))
    return row_sum


def word_by_word():
    query, key, value = ex.draw(3, N_TOKENS, D_K)
    return row_by_row(query, key, value)


def it_dog():
    words = tokenize("A dog ate the food because it was hungry")
    share = prefers(words, "it", "dog", "food", draws=2000)
    return Found(None, facts={"share": share, "draws": 2000})


N_ENCODED = 3


def _two_layers():
    """Return an encoder of N = 2, its layers, and an input."""
    encoder = Encoder.random(2, 6, 2, 12, rng=np.random.default_rng(0))
    return encoder, *encoder.layers, ex.draw(N_ENCODED, 6)


def stack():
    encoder, first, second, x = _two_layers()
    return np.allclose(encoder(x), second(first(x)))


def identical():
    _, first, second, x = _two_layers()
    same = first.w_1.shape == second.w_1.shape and first.w_2.shape == second.w_2.shape
    return Found(same, facts={"apart": np.abs(first(x) - second(x)).max()})


def sublayers():
    layer = EncoderLayer.random(6, 2, 12, rng=np.random.default_rng(0))
    x = ex.draw(N_ENCODED, 6)

    def forward(h):
        weights = layer.w_1, layer.b_1, layer.w_2, layer.b_2
        return feed_forward(h, *weights, activation=relu)

    h = layer_norm(x + layer.attention(x), layer.gain_1, layer.bias_1)
    wrapped = layer_norm(h + forward(h), layer.gain_2, layer.bias_2)
    bare = np.abs(forward(layer.attention(x)) - layer(x)).max()
    return Found(np.allclose(wrapped, layer(x)), facts={"bare": bare})


checks(
    "post2",
    {
        "input-shape": lambda: _full_size()[0].shape,
        "self-largest": lambda: Found(
            None, facts={"own": int(own_largest(ex.PERCENTAGES).sum())}
        ),
        "sqrt-64": lambda: float(1 / scale_scores([[1.0]], D_K)[0, 0]),
        "softmax-range": lambda: are_probabilities(
            softmax(ex.draw(N_TOKENS, N_TOKENS))
        ),
        "six-encoders": lambda: ex.N_LAYERS_IN_PAPER,
    },
)
