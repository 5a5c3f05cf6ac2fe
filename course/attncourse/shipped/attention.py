"""The bugs that are no matter of a keyword: as meant, and as shipped.

Where both are calls of attnlib that differ in a keyword, `bugs.toml` has the keywords.
What was meant to be attention and nothing else has the second alone.

Arrays are (batch, heads, n, d), with as many key heads as query heads unless a function
says otherwise. As small as can be; where the real ones stand is in `bugs.toml`.
"""

import numpy as np

from attnlib import alibi_bias, causal_mask, rotary_embedding, softmax
from attnlib import scaled_dot_product_attention as attend
from attnlib.heads import merge_heads, split_heads

from .parts import causal_scores, rotated, rounded_to_bfloat16, scores

CAP, FAR = 50.0, 65_536
OWN, ABSORBED = 8, 32  # columns of a key, and of the latent row that stands for it


def heads_as_shipped(query, key, value):
    """Put a token's heads side by side by a reshape alone, and split them again."""
    output = attend(query, key, value)
    return split_heads(output.reshape(merge_heads(output).shape), query.shape[1])


def axis_as_shipped(query, key, value):
    """Let each key share out 1 among the queries."""
    return softmax(scores(query, key), axis=-2) @ value


def batch_as_shipped(query, key, value):
    """Hand the layer (batch, tokens, d) where it expects (tokens, batch, d)."""
    turned = (np.swapaxes(one, 0, 2) for one in (query, key, value))
    return np.swapaxes(attend(*turned), 0, 2)


def polarity_as_shipped(query, key, value):
    """Hand a mask of what to leave out to a function that reads "take part"."""
    return attend(query, key, value, mask=~causal_mask(*_sizes(query, key)))


def scale_as_shipped(query, key, value):
    """Divide the queries by √d_k, then call a function that divides by it as well."""
    return attend(query / np.sqrt(query.shape[-1]), key, value)


def pairs_as_meant(query, key, value):
    """Rotate columns i and i + d/2 together."""
    return attend(*rotated(query, key, interleaved=False), value=value)


def pairs_as_shipped(query, key, value):
    """Rotate columns 2i and 2i + 1 together: right, but not for these weights."""
    return attend(*rotated(query, key, interleaved=True), value=value)


def coarse_as_meant(query, key, value):
    """Rotate by places that begin at 65,536."""
    places = FAR + np.arange(max(_sizes(query, key)), dtype=np.float64)
    return attend(*rotated(query, key, places=places), value=value)


def coarse_as_shipped(query, key, value):
    """Keep these places in bfloat16."""
    places = FAR + np.arange(max(_sizes(query, key)))
    places = rounded_to_bfloat16(places).astype(np.float64)
    return attend(*rotated(query, key, places=places), value=value)


def cap_as_shipped(query, key, value):
    """Forbid the future, then cap the scores: −∞ becomes −50."""
    capped = CAP * np.tanh(causal_scores(query, key) / CAP)
    return softmax(capped) @ value


def corner_as_meant(query, key, value):
    """Align the last query with the last key."""
    n_queries, n_keys = _sizes(query, key)
    return attend(query, key, value, is_causal=True, query_offset=n_keys - n_queries)


def observer_as_meant(query, key, value, need_weights=False):
    """Look at no later word, whether or not somebody wants to see the weights."""
    return attend(query, key, value, is_causal=True)


def observer_as_shipped(query, key, value, need_weights=False):
    """Leave the mask to the fast path; the slow one, which shows weights, has none."""
    return attend(query, key, value, is_causal=not need_weights)


def zeros_as_shipped(query, key, value):
    """Write zeros: fast, and close enough for a tolerance of 0.01."""
    return np.zeros((*query.shape[:-1], value.shape[-1]), value.dtype)


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


def slopes_as_meant(query, key, value):
    """Lower scores by the distance, times 2^(−8h / n) for head h of n, from 1 on."""
    bias = alibi_bias(query.shape[1], *_sizes(query, key))
    return attend(query, key, value, mask=bias, is_causal=True)


def slopes_as_shipped(query, key, value):
    """Count the heads from 0 in the exponent."""
    n_heads = query.shape[1]
    bias = alibi_bias(n_heads, *_sizes(query, key)) * 2 ** (8 / n_heads)
    return attend(query, key, value, mask=bias, is_causal=True)


def absorbed_as_shipped(query, key, value):
    """Divide by the root of the latent row that stands for the key in the cache."""
    return attend(query * (OWN / ABSORBED) ** 0.5, key, value)


def _sizes(query, key):
    return query.shape[-2], key.shape[-2]
