"""Three more that shipped, for the reader to find: no name says what is wrong."""

import numpy as np

from attnlib import scaled_dot_product_attention as attend
from attnlib import softmax

from .parts import online, scores


def first(query, key, value):
    """Attention with fewer key heads than query heads."""
    key, value = (_tiled(one, query.shape[1]) for one in (key, value))
    return attend(query, key, value)


def first_fixed(query, key, value):
    """Attention with fewer key heads than query heads."""
    n_sharing = query.shape[1] // key.shape[1]
    key, value = (np.repeat(one, n_sharing, axis=1) for one in (key, value))
    return attend(query, key, value)


def second(query, key, value):
    """Attention that reads its keys one at a time."""
    return online(scores(query, key), value, lowest=-5e4)


def second_fixed(query, key, value):
    """Attention that reads its keys one at a time."""
    return online(scores(query, key), value, lowest=-np.inf)


def third(query, key, value, dropout=0.2, rng=np.random.default_rng(0)):  # noqa: B008
    """Attention in a model that was told that its training is over."""
    weights = softmax(scores(query, key))
    kept = rng.random(weights.shape) >= dropout
    return (weights * kept / (1 - dropout)) @ value


def third_fixed(query, key, value):
    """Attention in a model that was told that its training is over."""
    return attend(query, key, value)


def _tiled(heads, n_heads):
    return np.tile(heads, (1, n_heads // heads.shape[1], 1, 1))
