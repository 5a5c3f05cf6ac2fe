"""Parts that the bugs share: scores, rotation, rounding, a softmax in one pass."""

import numpy as np

from attnlib import causal_mask, rotary_embedding


def scores(query, key):
    """Return QKᵀ / √d_k: (..., n_queries, n_keys)."""
    root = np.asarray(query.shape[-1] ** 0.5, dtype=query.dtype)
    return query @ np.swapaxes(key, -1, -2) / root


def causal_scores(query, key):
    """Return the scores with −∞ where a key comes after the query."""
    allowed = causal_mask(query.shape[-2], key.shape[-2])
    return np.where(allowed, scores(query, key), -np.inf)


def rotated(query, key, *, places=None, interleaved=False):
    """Return query and key rotated by their places, from 0 on unless given."""
    found = []
    for rows in (query, key):
        n = rows.shape[-2]
        here = np.arange(n) if places is None else places[:n]
        turned = rotary_embedding(rows, positions=here, interleaved=interleaved)
        found.append(turned)
    return found


def rounded_to_bfloat16(numbers):
    """Round to the nearest number of 8 significant bits, as float32; ties to even."""
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    up = np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return ((bits + up) & np.uint32(0xFFFF0000)).view(np.float32)


def online(scores, value, *, lowest):
    """Attend by reading one key at a time, from a first maximum of `lowest` on."""
    top = np.full((*scores.shape[:-1], 1), lowest)
    total, mixed = np.zeros_like(top), np.zeros((*scores.shape[:-1], value.shape[-1]))
    for j in range(scores.shape[-1]):
        score = scores[..., j : j + 1]
        new = np.maximum(top, score)
        shrink = np.where(np.isfinite(top), np.exp(np.minimum(top - new, 0)), 0)
        power = np.exp(score - new)
        total = total * shrink + power
        mixed = mixed * shrink + power * value[..., j : j + 1, :]
        top = new
    return mixed / np.where(total > 0, total, 1)
