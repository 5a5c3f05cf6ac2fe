"""The losses of the course's small models, in PyTorch's words.

Each takes the parameters by name, and what the model read; its attention is PyTorch's.
"""

import torch
from torch.nn.functional import scaled_dot_product_attention

from tests.parity.in_torch import cross_entropy, feed_forward, rms_norm, turn

PROJECTIONS = ("w_query", "w_key", "w_value")


def card_reader(params, letters, numbers, answers, *, n_heads, scale):
    x = params["letter"][letters] + params["number"][numbers]
    x = x + params.get("position", 0)
    query, key, value = split(x, [params[name] for name in PROJECTIONS], n_heads)
    heads = scaled_dot_product_attention(query, key, value, scale=scale)
    return cross_entropy(merge(heads) @ params["w_letter"], answers).mean()


def copier(params, texts, places, *, n_layers, scale):
    x = params["symbol"][texts[:, :-1]]
    for i in range(n_layers):
        normal = rms_norm(x)
        placed = normal + places[: x.shape[-2]]
        inputs = zip(PROJECTIONS, (placed, placed, normal), strict=True)
        projected = [each @ params[f"{name}_{i}"] for name, each in inputs]
        heads = scaled_dot_product_attention(*projected, is_causal=True, scale=scale)
        x = x + heads @ params[f"w_output_{i}"]
    return cross_entropy(rms_norm(x) @ params["w_symbol"], texts[:, 1:]).mean()


def echoer(params, texts, places, *, order):
    x = params["symbol"][texts[:, :-1]]
    normal = rms_norm(x)
    placed = normal + places if order == "sinusoids" else normal
    inputs = zip(PROJECTIONS, (placed, placed, normal), strict=True)
    query, key, value = (each @ params[name] for name, each in inputs)
    if order == "rotary":
        query, key = turn(query), turn(key)
    place = torch.arange(x.shape[-2], dtype=x.dtype)
    back = place[:, None] - place
    bias = -back / 2 if order == "alibi" else 0 * back
    mask = torch.where(back < 0, -torch.inf, bias)
    heads = scaled_dot_product_attention(query, key, value, attn_mask=mask)
    last = rms_norm(x + heads @ params["w_output"])
    return cross_entropy(last @ params["w_symbol"], texts[:, 1:]).mean()


def writer(params, texts, *, n_layers, n_heads):
    x = params["table"][texts[:, :-1]]
    for i in range(n_layers):
        own = {k[:-2]: p for k, p in params.items() if k.endswith(f"_{i}")}
        normal, weights = rms_norm(x, own["gain_1"]), [own[k] for k in PROJECTIONS]
        query, key, value = split(normal, weights, n_heads)
        heads = scaled_dot_product_attention(
            turn(query), turn(key), value, is_causal=True
        )
        x = x + merge(heads) @ own["w_output"]
        network = [own[name] for name in ("w_1", "b_1", "w_2", "b_2")]
        x = x + feed_forward(rms_norm(x, own["gain_2"]), *network)
    logits = rms_norm(x, params["gain"]) @ params["table"].T
    return cross_entropy(logits, texts[:, 1:]).mean()


def split(x, weights, n_heads):
    """Project; each head takes some columns: (..., n_heads, n_tokens, d_k)."""
    return [(x @ w).unflatten(-1, (n_heads, -1)).transpose(-2, -3) for w in weights]


def merge(heads):
    return heads.transpose(-2, -3).flatten(-2)
