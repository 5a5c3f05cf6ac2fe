"""What a published configuration of a decoder says of its attention and its size.

The names are those of the Hugging Face configurations. Three are given as plain facts.
"""

from types import SimpleNamespace

NEEDED = ("hidden_size", "num_hidden_layers", "num_attention_heads")
LLAMA_3_8B = {
    **{"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32},
    **{"num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256},
    **{"rope_theta": 500_000.0, "rms_norm_eps": 1e-5, "hidden_act": "silu"},
}
MISTRAL_7B = {
    **{"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32},
    **{"num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000},
    **{"rope_theta": 10_000.0, "rms_norm_eps": 1e-5, "hidden_act": "silu"},
    "sliding_window": 4096,
}
GEMMA_2_9B = {
    **{"hidden_size": 3584, "num_hidden_layers": 42, "num_attention_heads": 16},
    **{"num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 256000},
    **{"rope_theta": 10_000.0, "rms_norm_eps": 1e-6, "head_dim": 256},
    **{"hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": True},
    **{"attn_logit_softcapping": 50.0, "query_pre_attn_scalar": 256},
    # Every other layer has a window, and there is a norm after each part as well.
    **{"sliding_window": 4096, "layers_per_window": 2, "norms_per_layer": 4},
}
# What each line is in attnlib; {} stands for its number.
MEANINGS = {
    "num_key_value_heads": "enable_gqa=True",
    "sliding_window": "window=({} - 1, 0)",
    "attn_logit_softcapping": "softcap={}",
    "query_pre_attn_scalar": "scale={} ** -0.5",
    "rope_theta": "rotary_embedding(base={})",
    "rms_norm_eps": "rms_norm(eps={})",
}
SIZES = (
    *(*NEEDED, "head_dim", "intermediate_size", "vocab_size"),
    *("hidden_act", "tie_word_embeddings", "layers_per_window", "norms_per_layer"),
)


def read(configuration, *, n_tokens=8192, n_bytes=2, gated=True):
    """Read a configuration.

    Parameters
    ----------
    configuration : dict
        The lines of a ``config.json``.
    n_tokens : int
        How many tokens stand before the one that is written.
    n_bytes : int
        Of one number in the cache.
    gated : bool
        Whether the feed-forward networks have a gate, and so three matrices. No line of
        a configuration says so: with ``hidden_act`` "gelu" there are both kinds.

    Returns
    -------
    SimpleNamespace
        ``shapes``: of the four projections, and of the matrices of the feed-forward
        network where ``intermediate_size`` is given; ``parameters``: how many numbers
        are learned, without biases; ``cache_per_token`` and ``cache`` at n_tokens, in
        bytes; ``multiplications``: for one new token; ``keywords``: what each line is
        in attnlib; ``unread``: lines that this function knows nothing of. If one of
        these is about attention, as ``kv_lora_rank`` is, the counts do not hold.

    Raises
    ------
    ValueError
        If one of the three sizes is missing that nothing can do without.
    """
    c = dict(configuration)
    missing = [name for name in NEEDED if name not in c]
    if missing:
        raise ValueError(f"read: the configuration lacks {', '.join(missing)}")
    d_model, n_layers = c["hidden_size"], c["num_hidden_layers"]
    n_heads = c["num_attention_heads"]
    n_kv_heads = c.get("num_key_value_heads") or n_heads
    d_k = c.get("head_dim") or d_model // n_heads
    shapes = _shapes(d_model, n_heads * d_k, n_kv_heads * d_k)
    shapes |= _network(d_model, c.get("intermediate_size"), gated)
    seen = _seen(c, n_layers, n_tokens)
    a_token = 2 * n_kv_heads * d_k * n_bytes
    matrices = _matrices(c, d_model, n_layers, shapes)
    return SimpleNamespace(
        shapes=shapes,
        parameters=_parameters(c, d_model, n_layers, matrices),
        cache_per_token=n_layers * a_token,
        cache=seen * a_token,
        multiplications=matrices + 2 * seen * n_heads * d_k,
        keywords={k: MEANINGS[k].format(c[k]) for k in MEANINGS if c.get(k)},
        unread=[name for name in c if name not in (*SIZES, *MEANINGS)],
    )


def _shapes(d_model, all_queries, all_keys):
    """List the shapes of the projections, used as ``x @ w``."""
    keys = (d_model, all_keys)
    return {
        "w_query": (d_model, all_queries),
        "w_key": keys,
        "w_value": keys,
        "w_output": (all_queries, d_model),
    }


def _network(d_model, d_ff, gated):
    """List the shapes of ``(silu(x @ w_gate) * (x @ w_up)) @ w_down``, if there is one.

    Without a gate, w_up and w_down are the w_1 and w_2 of attnlib's ``feed_forward``.
    """
    if not d_ff:
        return {}
    up = ("w_gate", "w_up") if gated else ("w_up",)
    return {**dict.fromkeys(up, (d_model, d_ff)), "w_down": (d_ff, d_model)}


def _seen(c, n_layers, n_tokens):
    """Add up the keys that one query sees, over the layers."""
    near = min(n_tokens, c.get("sliding_window") or n_tokens)
    with_window = n_layers // c.get("layers_per_window", 1)
    return with_window * near + (n_layers - with_window) * n_tokens


def _matrices(c, d_model, n_layers, shapes):
    """Count the entries of all matrices that a token is multiplied with."""
    a_layer = sum(rows * columns for rows, columns in shapes.values())
    return n_layers * a_layer + c.get("vocab_size", 0) * d_model


def _parameters(c, d_model, n_layers, matrices):
    """Count what is learned: matrices, gains, and the embedding unless it is tied."""
    gains = (c.get("norms_per_layer", 2) * n_layers + 1) * d_model
    tied = c.get("tie_word_embeddings", False)
    return matrices + gains + (0 if tied else c.get("vocab_size", 0) * d_model)
