"""Names of PyTorch's in our place: the error says ours."""

import inspect

import numpy as np
import pytest

import attnlib
from attnlib import EncoderLayer, MultiHeadAttention, SelfAttention
from attnlib._checks import OURS

X, RNG = np.ones((2, 3, 4)), np.random.default_rng(0)
LAYER = MultiHeadAttention.random(4, 2, rng=RNG)


@pytest.mark.parametrize(
    ("call", "keyword"),
    [
        (lambda **k: attnlib.scaled_dot_product_attention(X, X, X, **k), "attn_mask"),
        (lambda **k: attnlib.attention_weights(X, X, **k), "attn_mask"),
        (lambda **k: attnlib.blockwise_attention(X, X, X, **k), "attn_mask"),
        (lambda **k: attnlib.attention_vjp(X, X, X, X, **k), "attn_mask"),
        (lambda **k: attnlib.softmax(X, **k), "dim"),
        (lambda **k: attnlib.layer_norm(X, **k), "weight"),
        (lambda **k: MultiHeadAttention(X, X, X, X, **k), "num_heads"),
        (lambda **k: MultiHeadAttention.random(n_heads=2, rng=RNG, **k), "embed_dim"),
        (lambda **k: LAYER(X, **k), "key_padding_mask"),
        (lambda **k: LAYER.weights(X, **k), "attn_mask"),
        (lambda **k: SelfAttention.random(4, 2, rng=RNG)(X, **k), "attn_mask"),
        (lambda **k: EncoderLayer.random(4, 2, rng=RNG, **k), "dim_feedforward"),
        (lambda **k: attnlib.Encoder.random(1, 4, d_ff=3, rng=RNG, **k), "nhead"),
    ],
)
def test_the_error_says_what_it_is_called_here(call, keyword):
    with pytest.raises(TypeError, match=f"{keyword} is called {OURS[keyword]} here$"):
        call(**{keyword: None})


def test_other_errors_are_those_of_python():
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'unheard_of'$"):
        attnlib.scaled_dot_product_attention(X, X, X, unheard_of=1)


def test_no_name_of_the_table_is_ours_and_every_answer_is():
    known = {
        name
        for thing in vars(attnlib).values()
        if callable(thing)
        for way in (thing, getattr(thing, "random", thing))
        for name in inspect.signature(way).parameters
    }
    assert not known & (OURS.keys() - {"weight"})  # `project` has one of its own
    assert known >= {*OURS.values()}
