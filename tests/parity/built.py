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
            settings(config), experts_implementation="batched_mm"
        )


def n_parameters(model):
    """Count what is learned, tied numbers once."""
    return sum(p.numel() for p in model.parameters())


def n_active_parameters(model, used):
    """Count as `n_parameters`, and of experts, only as many as a token goes through."""
    return sum(
        math.prod(p.shape[1:]) * used if ".experts." in name else p.numel()
        for name, p in model.named_parameters()
    )


def cache_numbers(model, n_tokens):
    """Run a model on n tokens; count the numbers that its cache then holds."""
    ids = torch.zeros((1, n_tokens), dtype=torch.long, device="meta")
    with torch.no_grad():
        out = model(ids, use_cache=True)
    cache = getattr(out, "past_key_values", None) or out.cache_params
    states = getattr(cache, "linear_cache", [])  # where MiniMax keeps its states
    kept = [list(vars(layer).values()) for layer in cache.layers]
    return _numbers([kept, states])


def _numbers(value):
    if isinstance(value, torch.Tensor):
        return value.numel() if value.is_floating_point() else 0
    if isinstance(value, dict):
        value = list(value.values())
    return sum(map(_numbers, value)) if isinstance(value, (list, tuple)) else 0


def try_cache(model, n_tokens):
    """Count as `cache_numbers`; None where a model cannot run on the meta device."""
    try:
        return cache_numbers(model, n_tokens)
    except Exception:  # each class has its own errors, and any will do
        return None
