"""Calls of a configuration, beside transformers' own attention.

A small model of the configuration is built with random numbers, biases and gains too,
and reads one text. Of each attention layer we keep what went in, and what the merged
heads were before W^O; queries, keys and values are made with the layer's own matrices.
"""

import copy

import numpy as np
import torch
from transformers import AutoModelForCausalLM

from attnconfig import read
from attncourse.real_model.configuration.calls import calls
from tests.parity import built
from tests.parity.projections import given, matrices, numbers, through

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
