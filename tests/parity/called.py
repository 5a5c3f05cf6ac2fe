"""Calls of a configuration, beside transformers' own attention.

A small model of the configuration is built with random numbers, biases and gains too,
and reads one text. Of each attention layer we keep what went in, and what the merged
heads were before W^O; queries, keys and values are made with the layer's own matrices.
"""

import copy

import numpy as np
import torch
from transformers import AutoModelForCausalLM

import attnlib
from attnconfig import read
from attncourse.real_model.configuration.calls import calls
from tests.parity import built

# Projections with the matrices of transformers' own layers.

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


N_TOKENS = 11
GATES = ("gate_proj", "g_proj")
OUTPUTS = ("attn_sub_norm", "o_proj", "out_proj", "dense", "c_proj")


def compare(config, tokens=N_TOKENS):
    """Compare every call of a configuration with what transformers computes.

    Returns
    -------
    dict of int to float
        For each layer that has a call, the largest difference, relative to the largest
        number; None if transformers cannot build the model or run it.
    """
    try:
        seen = run(config, tokens)
    except Exception:  # each class has its own errors, and any will do
        return None
    model = read(config)
    written, found = calls(model), {}
    for index, (module, x, expected) in seen.items() if written else ():
        lines = written[index]
        if not lines[0].startswith("# No call"):
            facts = model.layers[index].facts
            got = evaluate(lines, given(module, facts, x), module, x)
            largest = max(abs(expected).max(), 1e-30)  # all is 0 for an input of 0
            found[index] = float(abs(got - expected).max() / largest)
    return found


def run(config, tokens=N_TOKENS):
    """Return each attention layer's module, input and merged heads, by its index."""
    model, seen = _model(config), {}
    for name, module in model.named_modules():
        if matrices(module) and (out := _output(module)) is not None:
            index = int(next(part for part in name.split(".") if part.isdigit()))
            _watch(module, out, seen.setdefault(index, [module, None, None]))
    ids = torch.randint(3, 90, (1, tokens), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        model(ids)
    return {index: tuple(kept) for index, kept in seen.items() if kept[2] is not None}


def _model(config):
    torch.manual_seed(0)
    settings = built.settings(copy.deepcopy(config))
    model = AutoModelForCausalLM.from_config(settings, attn_implementation="eager")
    model = model.float().eval()  # some experts take no other
    with torch.no_grad():
        for p in model.parameters():  # a gain of 1 or a bias of 0 would hide mistakes
            noise = torch.randn_like(p)
            p.copy_(p + 0.3 * noise if p.dim() < 2 else 0.2 * noise)
    return model


def _watch(module, out, kept):
    def before(module, args, named):
        kept[1] = numbers(named.get("hidden_states", args[0] if args else None))[0]

    def merged(module, args):
        kept[2] = numbers(args[0]).reshape(len(kept[1]), -1)

    def chose(indexer, args, places):
        module.chosen = np.zeros((len(kept[1]), len(kept[1])), bool)
        np.put_along_axis(module.chosen, places[0].numpy(), True, axis=-1)

    latent = hasattr(module, "kv_a_proj_with_mqa")  # (others have no call)
    if latent and getattr(module, "indexer", None) is not None:
        module.indexer.register_forward_hook(chose)
    module.register_forward_pre_hook(before, with_kwargs=True)
    out.register_forward_pre_hook(merged)


def _output(module):
    return next((getattr(module, n) for n in OUTPUTS if hasattr(module, n)), None)


def evaluate(lines, names, module, x):
    """Run a call's lines; return the merged heads, gated where the layer has a gate."""
    for line in lines[:-1]:
        exec(line, names)
    heads = eval(lines[-1], names)
    merged = np.moveaxis(heads, -3, -2).reshape(len(x), -1)
    return merged * gate(module, x, merged, len(heads))


def gate(module, x, merged, heads):
    """Return what a layer's output is multiplied by: 1 where it has no gate."""
    query, d_k = getattr(module, "q_proj", None), getattr(module, "head_dim", 0)
    own = next((getattr(module, n) for n in GATES if getattr(module, n, None)), None)
    if (
        own is None
        and query is not None
        and query.out_features == 2 * merged.shape[-1] != heads * d_k
    ):
        halves = through(query, x).reshape(len(x), heads, 2, -1)
        found = halves[:, :, 1].reshape(merged.shape)
    elif own is None:
        return 1
    else:
        found = through(own, x)
    found = np.repeat(found, merged.shape[-1] // found.shape[-1], axis=-1)
    soft = type(module).__name__.startswith("Laguna")
    return np.log1p(np.exp(found)) if soft else 1 / (1 + np.exp(-found))
