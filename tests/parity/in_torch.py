"""attnlib's operations in PyTorch's words: its autograd finds nothing of ours."""

import torch
from torch.nn import functional
from torch.nn.functional import scaled_dot_product_attention


def allow(query, key, mask=None, is_causal=False, window=None, query_offset=0):
    """Say which pairs are allowed, of places or of whole axes of places."""
    left, right = window or (None, None)
    position = query + query_offset
    allowed = key >= 0
    if mask is not None and mask.dtype == torch.bool:
        allowed = allowed & mask[query, key]
    if is_causal:
        allowed = allowed & (key <= position)
    if left is not None:
        allowed = allowed & (key >= position - left)
    if right is not None:
        allowed = allowed & (key <= position + right)
    return allowed


def attention(
    *qkv, mask=None, scale=None, softcap=None, enable_gqa=False, query_offset=0, **how
):
    """Attend with every keyword; a query that sees nothing gets zeros."""
    query, key, value = qkv
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = (x.repeat_interleave(times, dim=-3) for x in (key, value))
    scores = query @ key.mT * (query.shape[-1] ** -0.5 if scale is None else scale)
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    places = torch.arange(query.shape[-2])[:, None], torch.arange(key.shape[-2])
    offset = torch.as_tensor(query_offset)[..., None, None]
    allowed = allow(*places, query_offset=offset, **how)
    if mask is not None:
        mask = torch.as_tensor(mask)
        is_boolean = mask.dtype == torch.bool
        allowed = allowed & (mask if is_boolean else mask > -torch.inf)
        scores = scores if is_boolean else scores + mask
    sees = allowed.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~allowed, -torch.inf).masked_fill(~sees, 0)
    return torch.softmax(scores, dim=-1) * sees @ value


def layer_norm(x, gain, bias, eps=1e-5):
    return functional.layer_norm(x, x.shape[-1:], gain, bias, eps)


def rms_norm(x, gain=None, eps=1e-5):
    return functional.rms_norm(x, x.shape[-1:], gain, eps)


def feed_forward(x, w_1, b_1, w_2, b_2, activation=functional.relu):
    b_1, b_2 = (0 if b is None else b for b in (b_1, b_2))
    return activation(x @ w_1 + b_1) @ w_2 + b_2


def gated_feed_forward(x, w_gate, w_up, w_down, activation=functional.silu):
    return (activation(x @ w_gate) * (x @ w_up)) @ w_down


def cross_entropy(logits, targets):
    rows, targets = logits.reshape(-1, logits.shape[-1]), torch.as_tensor(targets)
    losses = functional.cross_entropy(rows, targets.reshape(-1), reduction="none")
    return losses.reshape(logits.shape[:-1])


def turn(x):
    """Rotate pairs of columns by their place: multiply complex numbers."""
    half = x.shape[-1] // 2
    speeds = 10_000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(x.shape[-2], dtype=x.dtype)[:, None] * speeds
    pairs = torch.complex(x[..., :half], x[..., half:])
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([turned.real, turned.imag], dim=-1)


# The losses of the course's small models, in PyTorch's words.
#
# Each takes the parameters by name, and what the model read; its attention is
# PyTorch's.

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
