import inspect
import subprocess
import sys

import attnlib

NAMES = [
    *("tokenize", "Vocabulary", "Embedding", "cosine_similarity"),
    *("dot_product_scores", "scale_scores", "softmax"),
    *("attention_weights", "scaled_dot_product_attention"),
    *("causal_mask", "padding_mask", "SelfAttention", "AttentionTrace"),
    *("MultiHeadAttention", "sinusoidal_positional_encoding"),
    *("layer_norm", "relu", "gelu", "feed_forward", "EncoderLayer", "Encoder"),
]

SIGNATURES = """
tokenize(text)
Vocabulary(tokens)
Embedding(table, vocabulary=None)
cosine_similarity(a, b)
dot_product_scores(query, key)
scale_scores(scores, d_k)
softmax(x, axis=-1)
attention_weights(query, key, *, mask=None, is_causal=False, scale=None,
    softcap=None, window=None, query_offset=0, enable_gqa=False, sinks=None)
scaled_dot_product_attention(query, key, value, *, mask=None, is_causal=False,
    scale=None, softcap=None, window=None, query_offset=0, enable_gqa=False, sinks=None)
causal_mask(n_queries, n_keys=None, *, query_offset=0, offset=None)
padding_mask(lengths, n_keys)
SelfAttention(w_query, w_key, w_value)
SelfAttention.random(d_model, d_k, d_v=None, *, rng)
SelfAttention.__call__(self, x, *, mask=None, is_causal=False)
SelfAttention.trace(self, x, tokens=None, *, mask=None, is_causal=False)
AttentionTrace(tokens, x, query, key, value, scores, scaled_scores, weights, output)
MultiHeadAttention(w_query, w_key, w_value, w_output, *, n_heads, n_kv_heads=None,
    b_query=None, b_key=None, b_value=None, b_output=None, sinks=None)
MultiHeadAttention.__call__(self, x, context=None, *, mask=None, is_causal=False)
MultiHeadAttention.weights(self, x, context=None, *, mask=None, is_causal=False)
sinusoidal_positional_encoding(n_positions, d_model, *, base=10000.0)
layer_norm(x, gain, bias=None, *, eps=1e-05)
relu(x)
gelu(x)
feed_forward(x, w_1, b_1, w_2, b_2, *, activation=relu)
EncoderLayer(attention, w_1, b_1, w_2, b_2, gain_1, bias_1, gain_2, bias_2, *,
    activation=relu, norm_first=False, eps=1e-05)
EncoderLayer.random(d_model, n_heads, d_ff, *, rng)
EncoderLayer.__call__(self, x, *, mask=None, is_causal=False)
Encoder(layers)
Encoder.random(n_layers, d_model, n_heads, d_ff, *, rng)
Encoder.__call__(self, x, *, mask=None, is_causal=False)
MultiHeadAttention.random(d_model, n_heads, *, n_kv_heads=None, d_k=None, d_v=None,
    rng)
rotary_embedding(x, *, positions=None, base=10000.0, rotary_dim=None, interleaved=False,
    scaling=None)
rotary_frequencies(rotary_dim, *, base=10000.0, scaling=None, n_positions=1)
silu(x)
gated_feed_forward(x, w_gate, w_up, w_down, *, activation=silu)
project(x, weight, bias=None)
split_heads(x, n_heads)
merge_heads(heads)
token_probabilities(logits, temperature=1.0, top_k=None, top_p=None)
apply_rotary(x, cos, sin, *, interleaved=False)
alibi_bias(n_heads, n_queries, n_keys=None, *, query_offset=0)
sliding_window_mask(n_queries, n_keys=None, *, window, query_offset=0)
rms_norm(x, gain=None, *, eps=1e-05)
KVCache()
KVCache.append(self, key, value)
DecoderLayer.__call__(self, x, *, cache=None)
Decoder.__call__(self, ids, *, caches=None)
generate(decoder, ids, n_new, *, temperature=1.0, top_k=None, top_p=None, rng=None)
cross_entropy(logits, targets)
softmax_vjp(weights, grad_weights, axis=-1)
attention_vjp(query, key, value, grad_output, *, mask=None, is_causal=False,
    scale=None, softcap=None, window=None, query_offset=0, enable_gqa=False,
    sinks=None, block_size=None)
blockwise_attention(query, key, value, *, mask=None, is_causal=False, scale=None,
    softcap=None, window=None, query_offset=0, enable_gqa=False, sinks=None,
    block_size=None)
"""


def bare(signature):
    """Write a signature without its annotations."""
    names, star = [], False
    for name, p in signature.parameters.items():
        if p.kind is p.KEYWORD_ONLY and not star:
            names.append("*")
            star = True
        default = getattr(p.default, "__name__", repr(p.default))
        names.append(name if p.default is p.empty else f"{name}={default}")
    return f"({', '.join(names)})"


def test_public_names_come_in_the_order_of_the_lessons():
    assert attnlib.__all__[: len(NAMES)] == NAMES
    assert all(callable(getattr(attnlib, name)) for name in NAMES)
    assert not inspect.ismodule(attnlib.softmax)


def test_signatures():
    found = []
    for line in SIGNATURES.strip().replace("\n    ", " ").splitlines():
        thing = attnlib
        for name in line.partition("(")[0].split("."):
            thing = getattr(thing, name)
        found.append(line.partition("(")[0] + bare(inspect.signature(thing)))
    assert found == SIGNATURES.strip().replace("\n    ", " ").splitlines()


def test_every_public_name_is_documented():
    for name in attnlib.__all__:
        assert len(inspect.getdoc(getattr(attnlib, name))) > 60, name


def test_importing_takes_numpy_and_array_api_compat_alone():
    """Everything else is an extra, and a bare checkout must import without it."""
    code = (
        "import sys, attnlib; "
        "names = {name.partition('.')[0] for name in sys.modules}; "
        "print(*sorted(names - set(sys.stdlib_module_names)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    got = {name for name in run.stdout.split() if not name.startswith("_")}
    got -= {"sitecustomize", "distutils-precedence"}
    assert {"attnlib", "numpy", "array_api_compat"} <= got, run.stderr
    extras = {"matplotlib", "ipywidgets", "anywidget", "scipy", "torch", "jax"}
    assert not got & extras
