"""attnlib's operations in PyTorch's words: its autograd finds nothing of ours."""

import torch
from torch.nn import functional


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
