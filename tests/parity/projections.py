"""Projections with the matrices of transformers' own layers."""

import numpy as np
import torch

import attnlib

NAMES = ("scaled_dot_product_attention", "rotary_embedding", "rms_norm", "alibi_bias")
NORMS = (("q_norm", "k_norm"), ("q_layernorm", "k_layernorm"))
NORMS = (*NORMS, ("query_layernorm", "key_layernorm"))
ONE_MORE = ("Gemma", "VaultGemma", "Qwen3Next", "Qwen3_5", "MiniMaxM3")  # 1 + weight


def matrices(module):
    """Return the projections that make queries, keys and values."""
    for names in (
        ("q_proj", "k_proj", "v_proj"),
        ("qkv_proj",),
        ("c_attn",),
        ("Wqkv",),
        ("query_key_value",),
        ("kv_a_proj_with_mqa", "kv_b_proj"),
    ):
        if all(hasattr(module, name) for name in names):
            return [getattr(module, name) for name in names]
    return None


def numbers(x):
    return x.detach().double().numpy()


def through(module, x):
    """Apply a layer of PyTorch's to an array."""
    with torch.no_grad():
        return numbers(module(torch.tensor(x).float()))


def given(module, facts, x):
    """Return what a call's lines speak of."""
    rope = dict(facts.rotary.scaling) if facts.rotary else None
    names = {name: getattr(attnlib, name) for name in NAMES}
    names |= {"np": np, "rope": rope, "i": np.arange(len(x))}
    if facts.latent:
        return names | _latent(module, facts, x)
    query, key, value = _projected(module, facts, x)
    query = query[..., : facts.d_k]  # the rest is a gate of the output
    names |= {"query": query, "key": key, "value": value}
    norms = _norms(module)
    if norms and facts.qk_norm == "head":
        gains = [numbers(norm.weight) + _offset(module) for norm in norms]
        names |= dict(zip(("gain_query", "gain_key"), gains, strict=True))
    if facts.sinks:
        names["sinks"] = numbers(module.sinks)
    return names


def _offset(module):
    return 1 if type(module).__name__.startswith(ONE_MORE) else 0


def _norms(module):
    pairs = ([getattr(module, name, None) for name in names] for names in NORMS)
    return next((pair for pair in pairs if None not in pair), None)


def _projected(module, facts, x):
    """Make queries, keys and values: (heads, n, d) each."""
    made = [through(matrix, x) for matrix in matrices(module)]
    if len(made) == 1:
        made = _cut(module, facts, made[0])
    if facts.qk_norm == "width":
        norms = _norms(module)
        made[:2] = [through(n, y) for n, y in zip(norms, made, strict=False)]
    heads = (facts.heads, facts.kv_heads, facts.kv_heads)
    return [_split(y, n) for y, n in zip(made, heads, strict=True)]


def _cut(module, facts, y):
    """Cut what one matrix made: Q, K, V, or these three for each head or group."""
    heads, kv_heads, d = facts.heads, facts.kv_heads, facts.d_k
    mixed = hasattr(module, "query_key_value")  # NeoX, BLOOM, Falcon; one of BigCode's
    together = not (mixed or type(module).__name__.startswith("GPTBigCode"))
    if together or kv_heads == 1:
        return np.split(y, np.cumsum([heads * d, kv_heads * d]), axis=-1)
    groups = y.reshape(len(y), kv_heads, -1, d)
    cut = groups[:, :, :-2], groups[:, :, -2], groups[:, :, -1]
    return [each.reshape(len(y), -1) for each in cut]


def _split(x, heads):
    return np.moveaxis(x.reshape(len(x), heads, -1), -2, -3)


def _latent(module, facts, x):
    c = module.config
    columns = [c.qk_nope_head_dim]
    if getattr(module, "q_b_proj", None) is not None:
        normed = through(module.q_a_layernorm, through(module.q_a_proj, x))
        query = through(module.q_b_proj, normed)
    else:
        query = through(module.q_proj, x)
    query, query_2 = np.split(_split(query, facts.heads), columns, axis=-1)
    rows = through(module.kv_a_proj_with_mqa, x)
    up = numbers(module.kv_b_proj.weight)
    up = up.reshape(facts.heads, -1, c.kv_lora_rank).swapaxes(1, 2)
    up_key, up_value = np.split(up, columns, axis=-1)
    return {
        "chosen": getattr(module, "chosen", None),
        **{"query": query, "query_2": query_2, "up_key": up_key, "up_value": up_value},
        "latent": through(module.kv_a_layernorm, rows[:, : c.kv_lora_rank]),
        "key_2": rows[:, c.kv_lora_rank :],
    }
