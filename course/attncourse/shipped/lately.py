"""Bugs of 2026, as meant and as shipped: windows, sinks, caps, rotations, scales.

Arrays are (batch, heads, n, d), as in `attention`.
"""

import numpy as np

from attnlib import alibi_bias, causal_mask, rotary_embedding, sliding_window_mask
from attnlib import scaled_dot_product_attention as plain

from .parts import attend, causal_scores, rotated, scores, softmax

WINDOW, CAP, SINK = 3, 2.0, 1.5
OWN, ABSORBED = 8, 32  # columns of a key, and of the latent row that stands for it


def sink_as_meant(query, key, value):
    """Let a learned score take part in the denominator."""
    return plain(query, key, value, sinks=SINK)


def sink_as_shipped(query, key, value):
    """Take the learned score, and drop it: every row adds up to 1."""
    return attend(query, key, value)


def ahead_as_meant(query, key, value):
    """See `WINDOW` keys, your own among them, and none after it."""
    return attend(query, key, value, _window(query, key, right=0))


def ahead_as_shipped(query, key, value):
    """Make the window as wide to the right, and leave it to others to be causal."""
    return attend(query, key, value, _window(query, key, right=WINDOW - 1))


def short_as_meant(query, key, value):
    """See `WINDOW` keys, your own among them."""
    return attend(query, key, value, _window(query, key, right=0))


def short_as_shipped(query, key, value):
    """Ignore the window: up to `WINDOW` tokens nobody can tell."""
    return attend(query, key, value, causal_mask(*_sizes(query, key)))


def everywhere_as_meant(query, key, value):
    """See all keys so far: the file says that this layer has no window."""
    return attend(query, key, value, causal_mask(*_sizes(query, key)))


def everywhere_as_shipped(query, key, value):
    """Give every layer the window that the file has for others."""
    return attend(query, key, value, _window(query, key, right=0))


def unturned_as_meant(query, key, value):
    """Rotate queries and keys."""
    return attend(*rotated(query, key), value=value)


def unturned_as_shipped(query, key, value):
    """Rotate the keys in the cache, and attend to those that were not."""
    turned, _ = rotated(query, key)
    return attend(turned, key, value)


def fragments_as_meant(query, key, value):
    """Rotate each key by its place in the whole text."""
    return attend(*rotated(query, key), value=value)


def fragments_as_shipped(query, key, value):
    """Put two cached pieces behind each other, each rotated from 0 on."""
    turned, _ = rotated(query, key)
    n = key.shape[-2]
    places = np.arange(n) - (n // 2) * (np.arange(n) >= n // 2)
    return attend(turned, rotary_embedding(key, positions=places), value)


def uncapped_as_meant(query, key, value):
    """Cap the scores."""
    return softmax(CAP * np.tanh(scores(query, key) / CAP)) @ value


def uncapped_as_shipped(query, key, value):
    """Hand the cap to a call that does not read it."""
    return attend(query, key, value)


def slopes_as_meant(query, key, value):
    """Lower scores by the distance, times 2^(−8h / n) for head h of n, from 1 on."""
    bias = alibi_bias(query.shape[1], *_sizes(query, key))
    return softmax(causal_scores(query, key) + bias) @ value


def slopes_as_shipped(query, key, value):
    """Count the heads from 0 in the exponent."""
    n_heads = query.shape[1]
    bias = alibi_bias(n_heads, *_sizes(query, key)) * 2 ** (8 / n_heads)
    return softmax(causal_scores(query, key) + bias) @ value


def absorbed_as_shipped(query, key, value):
    """Divide by the root of the latent row that stands for the key in the cache."""
    return softmax(scores(query, key) * (OWN / ABSORBED) ** 0.5) @ value


def _sizes(query, key):
    return query.shape[-2], key.shape[-2]


def _window(query, key, *, right):
    return sliding_window_mask(*_sizes(query, key), window=(WINDOW - 1, right))
