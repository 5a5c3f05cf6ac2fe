"""Right and wrong answers for append_to_cache, in several styles."""

import numpy as np

from attnlib import KVCache, scaled_dot_product_attention
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


def attend(query, keys, values, offset):
    scores = query @ keys.mT / np.sqrt(query.shape[-1])
    places = np.arange(query.shape[-2])[:, None] + offset
    hidden = np.arange(keys.shape[-2]) > places
    return soft(np.where(hidden, -1e9, scores)) @ values


@right
def by_hand(cached_key, cached_value, query, key, value):
    keys = np.concatenate([cached_key, key], axis=-2)
    values = np.concatenate([cached_value, value], axis=-2)
    return attend(query, keys, values, cached_key.shape[-2]), keys, values


@right
def by_class(cached_key, cached_value, query, key, value):
    cache = KVCache()
    if cached_key.shape[-2]:
        cache.append(cached_key, cached_value)
    keys, values = cache.append(key, value)
    offset = cached_key.shape[-2]
    how = {"is_causal": True, "query_offset": offset}
    return scaled_dot_product_attention(query, keys, values, **how), keys, values


@right
def one_by_one(cached_key, cached_value, query, key, value):
    """Append a token, let it look, and so on."""
    outputs = []
    for i in range(query.shape[-2]):
        at = np.s_[..., i : i + 1, :]
        cached_key = np.concatenate([cached_key, key[at]], axis=-2)
        cached_value = np.concatenate([cached_value, value[at]], axis=-2)
        outputs.append(
            scaled_dot_product_attention(query[at], cached_key, cached_value)
        )
    return np.concatenate(outputs, axis=-2), cached_key, cached_value


@wrong("offset-forgotten")
def offset_forgotten(cached_key, cached_value, query, key, value):
    _, keys, values = by_hand(cached_key, cached_value, query, key, value)
    output = scaled_dot_product_attention(query, keys, values, is_causal=True)
    return output, keys, values


@wrong("mask-ignored")
def no_mask(cached_key, cached_value, query, key, value):
    _, keys, values = by_hand(cached_key, cached_value, query, key, value)
    return scaled_dot_product_attention(query, keys, values), keys, values


@wrong("cache-overwritten")
def overwrites(cached_key, cached_value, query, key, value):
    """As a ring does: room for the new rows is taken from the end."""
    n = max(cached_key.shape[-2] - key.shape[-2], 0)
    keys = np.concatenate([cached_key[..., :n, :], key], axis=-2)
    values = np.concatenate([cached_value[..., :n, :], value], axis=-2)
    return attend(query, keys, values, cached_key.shape[-2]), keys, values


@wrong("inputs-changed")
def in_place(cached_key, cached_value, query, key, value):
    right = by_hand(cached_key, cached_value, query, key, value)
    n = min(key.shape[-2], cached_key.shape[-2])
    cached_key[..., :n, :] = key[..., :n, :]
    return right


@wrong("appended-in-front")
def in_front(cached_key, cached_value, query, key, value):
    keys = np.concatenate([key, cached_key], axis=-2)
    values = np.concatenate([value, cached_value], axis=-2)
    return attend(query, keys, values, cached_key.shape[-2]), keys, values


@wrong("nothing-appended")
def forgets(cached_key, cached_value, query, key, value):
    return by_hand(cached_key, cached_value, query, key, value)[0], key, value
