"""Each bug as two functions of query, key and value: as meant, and as it shipped.

What was meant to be attention and nothing else has the second alone.

Arrays are (batch, heads, n, d), with as many key heads as query heads unless a function
says otherwise. Written anew in NumPy, and as small as can be; where the real ones stand
is in `bugs.toml`.
"""

import numpy as np

from attnlib import causal_mask, sliding_window_mask

from .parts import attend, causal_scores, rotated, rounded_to_bfloat16, scores, softmax

WINDOW, CAP, FAR = 3, 50.0, 65_536


def heads_as_meant(query, key, value):
    """Put the heads of a token side by side, and split them again."""
    return _split(_merge(attend(query, key, value)), query.shape[1])


def heads_as_shipped(query, key, value):
    """Put them side by side by a reshape alone."""
    output = attend(query, key, value)
    batch, n_heads, n, d = output.shape
    return _split(output.reshape(batch, n, n_heads * d), n_heads)


def axis_as_meant(query, key, value):
    """Let each query share out 1 among the keys."""
    return softmax(scores(query, key), axis=-1) @ value


def axis_as_shipped(query, key, value):
    """Let each key share out 1 among the queries."""
    return softmax(scores(query, key), axis=-2) @ value


def batch_as_shipped(query, key, value):
    """Hand the layer (batch, tokens, d) where it expects (tokens, batch, d)."""
    turned = (np.swapaxes(one, 0, 2) for one in (query, key, value))
    return np.swapaxes(attend(*turned), 0, 2)


def polarity_as_meant(query, key, value):
    """Keep what is not in the future."""
    future = ~causal_mask(query.shape[-2], key.shape[-2])
    return attend(query, key, value, ~future)


def polarity_as_shipped(query, key, value):
    """Hand a mask of what to leave out to a function that reads "take part"."""
    future = ~causal_mask(query.shape[-2], key.shape[-2])
    return attend(query, key, value, future)


def window_as_meant(query, key, value):
    """See `WINDOW` keys, your own among them."""
    mask = sliding_window_mask(*_sizes(query, key), window=(WINDOW - 1, 0))
    return attend(query, key, value, mask)


def window_as_shipped(query, key, value):
    """See `WINDOW` keys to the left, and your own."""
    mask = sliding_window_mask(*_sizes(query, key), window=(WINDOW, 0))
    return attend(query, key, value, mask)


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


def cap_as_meant(query, key, value):
    """Cap the scores, then forbid the future."""
    allowed = causal_mask(*_sizes(query, key))
    capped = CAP * np.tanh(scores(query, key) / CAP)
    return softmax(np.where(allowed, capped, -np.inf)) @ value


def cap_as_shipped(query, key, value):
    """Forbid the future, then cap the scores: −∞ becomes −50."""
    capped = CAP * np.tanh(causal_scores(query, key) / CAP)
    return softmax(capped) @ value


def corner_as_meant(query, key, value):
    """Align the last query with the last key."""
    n_queries, n_keys = _sizes(query, key)
    place = np.arange(n_queries)[:, None] + n_keys - n_queries
    return attend(query, key, value, np.arange(n_keys) <= place)


def corner_as_shipped(query, key, value):
    """Align the first query with the first key."""
    return attend(query, key, value, causal_mask(*_sizes(query, key)))


def observer_as_meant(query, key, value, need_weights=False):
    """Look at no later word, whether or not somebody wants to see the weights."""
    return softmax(causal_scores(query, key)) @ value


def observer_as_shipped(query, key, value, need_weights=False):
    """Leave the mask to the fast path; the slow one, which shows weights, has none."""
    if need_weights:
        return softmax(scores(query, key)) @ value
    return softmax(causal_scores(query, key)) @ value


def zeros_as_shipped(query, key, value):
    """Write zeros: fast, and close enough for a tolerance of 0.01."""
    return np.zeros((*query.shape[:-1], value.shape[-1]), value.dtype)


def _sizes(query, key):
    return query.shape[-2], key.shape[-2]


def _merge(heads):
    batch, n_heads, n, d = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(batch, n, n_heads * d)


def _split(merged, n_heads):
    batch, n, width = merged.shape
    return merged.reshape(batch, n, n_heads, width // n_heads).transpose(0, 2, 1, 3)
