"""Names of PyTorch's in our place, and arguments that are given by name."""

import numpy as np
import pytest

import attnlib
from attnlib import DecoderLayer, EncoderLayer, MultiHeadAttention, SelfAttention
from attnlib._hints import OURS

X = np.ones((2, 3, 4))
RNG = np.random.default_rng(0)
LAYER = MultiHeadAttention.random(4, 2, rng=RNG)
OWN = SelfAttention.random(4, 2, rng=RNG)
ATTENTION = attnlib.scaled_dot_product_attention


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: ATTENTION(X, X, X, attn_mask=None), "attn_mask is called mask"),
        (lambda: attnlib.attention_weights(X, X, scaling=1), "is called scale here"),
        (lambda: attnlib.attention_vjp(X, X, X, X, s_aux=1), "is called sinks here"),
        (lambda: attnlib.blockwise_attention(X, X, X, causal=True), "called is_causal"),
        (lambda: attnlib.softmax(X, dim=0), "dim is called axis here"),
        (lambda: attnlib.layer_norm(X, weight=X), "weight is called gain here"),
        (lambda: attnlib.rms_norm(X, weight=X), "weight is called gain here"),
        (lambda: attnlib.generate(None, [1], max_new_tokens=3), "is called n_new here"),
        (lambda: MultiHeadAttention(X, X, X, X, num_heads=2), "is called n_heads"),
        (
            lambda: MultiHeadAttention.random(embed_dim=4, n_heads=2, rng=RNG),
            "embed_dim is called d_model here",
        ),
        (lambda: LAYER(X, key_padding_mask=X), r"called mask: padding_mask\(lengths"),
        (lambda: LAYER(X, need_weights=True), r"called weights\(...\), a method"),
        (lambda: LAYER.weights(X, attn_mask=X), "attn_mask is called mask"),
        (lambda: OWN(X, attn_mask=X), "is called mask here"),
        (lambda: OWN.trace(X, attn_mask=X), "called mask"),
        (lambda: EncoderLayer.random(4, nhead=2, d_ff=3, rng=RNG), "called n_heads"),
        (
            lambda: DecoderLayer.random(4, 2, 3, rng=RNG, sliding_window=3),
            "window here",
        ),
        (lambda: ATTENTION(X, X, X, None), "give these by name: mask=, is_causal=, "),
        (lambda: LAYER(X, X, None), "give these by name: mask=, is_causal="),
        (lambda: MultiHeadAttention(X, X, X, X, 2), "give these by name: n_heads=, n_"),
    ],
)
def test_the_error_says_what_it_is_called_here(call, hint):
    with pytest.raises(TypeError, match=hint):
        call()


def test_other_errors_are_left_as_they_are():
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'unheard_of'$"):
        ATTENTION(X, X, X, unheard_of=1)
    with pytest.raises(TypeError, match=r"missing 1 required positional argument"):
        ATTENTION(X, X)

    def fails(x):
        raise TypeError("of its own")

    with pytest.raises(TypeError, match=r"^of its own$"):
        attnlib.feed_forward([[1.0]], [[1.0]], None, [[1.0]], None, activation=fails)


def test_our_own_names_are_not_in_the_table():
    ours = {"mask", "n_heads", "d_model", "axis", "gain", "window", "scale", "sinks"}
    assert not ours & OURS.keys()
