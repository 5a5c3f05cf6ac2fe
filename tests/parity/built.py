"""Decoders built by transformers without memory, on PyTorch's meta device.

``truth`` is what the reader of configurations is compared with: how many numbers the
model learns, how many of them one token uses, and what its cache holds.
"""

import copy
import math

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM

transformers.logging.set_verbosity(50)
# Families under another name there.
NAMED = {"kimi_k2": "deepseek_v3", "mimo": "qwen2"}


def settings(config):
    """Return transformers' settings for the language model of a configuration."""
    lines = copy.deepcopy(config.get("text_config", config))
    kind = lines.pop("model_type")
    lines.setdefault("tie_word_embeddings", config.get("tie_word_embeddings"))
    if lines["tie_word_embeddings"] is None:
        del lines["tie_word_embeddings"]
    return AutoConfig.for_model(NAMED.get(kind, kind), **lines)


def build(config):
    """Build the language model of a configuration, without its numbers.

    Of the ways in which transformers runs experts, this one runs without numbers too:
    on the meta device, the usual one takes bfloat16 alone.
    """
    with torch.device("meta"):
        return AutoModelForCausalLM.from_config(
            settings(config), experts_implementation="batched_mm", dtype=torch.bfloat16
        )


def n_parameters(model):
    """Count what is learned, tied numbers once."""
    return sum(p.numel() for p in model.parameters())


def n_active_parameters(model, used):
    """Count as `n_parameters`, of experts those that a token uses, of a table a row."""
    return sum(
        math.prod(p.shape[1:]) * used if ".experts." in name else p.numel()
        for name, p in model.named_parameters()
    ) - sum(p.numel() - p.shape[-1] for p in _tables(model))


def _tables(model):
    """List the tables of which a token uses one row: embeddings that are not tied."""
    output = model.get_output_embeddings()
    tied = output is not None and output.weight
    modules = model.modules()
    found = (m.weight for m in modules if isinstance(m, torch.nn.Embedding))
    return [weight for weight in found if weight is not tied]


def cache(model, n_tokens, device="meta"):
    """Run a model on n tokens; return the arrays that its cache then holds."""
    ids = torch.full((1, n_tokens), 3, dtype=torch.long, device=device)
    with torch.no_grad():
        out = model(ids, use_cache=True)
    found = getattr(out, "past_key_values", None)
    return _arrays(out.cache_params if found is None else found, {}).values()


def _arrays(value, found):
    """Gather the arrays below a value, by identity."""
    if isinstance(value, torch.Tensor):
        if value.is_floating_point() and value.numel():
            found[id(value)] = value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            _arrays(each, found)
    elif type(value).__module__.startswith("transformers"):
        inside = {k: v for k, v in vars(value).items() if "config" not in k}
        _arrays(inside, found)
    return found


def n_bytes(arrays):
    """Count the bytes of arrays."""
    return sum(each.numel() * each.element_size() for each in arrays)


def try_cache(model, n_tokens, device="meta"):
    """Count the bytes of the cache; None where a model cannot run so."""
    try:
        return n_bytes(cache(model, n_tokens, device))
    except Exception:  # each class has its own errors, and any will do
        return None
