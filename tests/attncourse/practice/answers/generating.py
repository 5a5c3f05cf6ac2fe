"""Right and wrong answers to the exercises of the pages on models that write."""

import numpy as np

from attnlib import scaled_dot_product_attention, softmax
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of("sample_with_temperature")


def searched(logits, temperature, numbers):
    """Search each row for its numbers."""
    rows = np.cumsum(soft(logits / temperature), axis=-1)
    pairs = zip(
        rows.reshape(-1, rows.shape[-1]),
        numbers.reshape(-1, numbers.shape[-1]),
        strict=True,
    )
    found = [np.searchsorted(row, each, side="right") for row, each in pairs]
    return np.reshape(found, numbers.shape)


@right
def counted(logits, temperature, numbers):
    """Count how many cumulative probabilities a number has passed."""
    rows = np.cumsum(soft(logits / temperature), axis=-1)
    return (rows[..., None, :] <= numbers[..., None]).sum(axis=-1)


def _raw(chances, numbers):
    above = np.cumsum(chances, axis=-1)[..., None, :] > numbers[..., None]
    return above.argmax(axis=-1)


wrong("multiplied-by-temperature")(lambda x, t, n: searched(x * t * t, t, n))
wrong("temperature-ignored")(lambda x, t, n: searched(x, 1, n))
wrong("wrong-axis")(
    lambda x, t, n: (
        searched(np.log(soft(x.T / t).T), 1, n)
        if x.ndim == 1
        else _raw(soft(x.T / t).T, n)
    )
)
wrong("argmax-always", "wrong-dtype")(
    lambda x, t, n: 0 * n + x.argmax(axis=-1)[..., None]
)
wrong("temperature-after-softmax")(lambda x, t, n: _raw(soft(x) / t, n))
wrong("order-lost")(lambda x, t, n: searched(-np.sort(-x, axis=-1), t, n))
wrong("off-by-one")(lambda x, t, n: searched(x, t, n) - 1)
wrong("compared-with-probability")(
    lambda x, t, n: (soft(x / t)[..., None, :] > n[..., None]).argmax(axis=-1)
)


@wrong("overflow")
def no_largest(logits, temperature, numbers):
    powers = np.exp(logits / temperature)
    sums = np.cumsum(powers / powers.sum(axis=-1, keepdims=True), axis=-1)
    ids = (sums[..., None, :] <= numbers[..., None]).sum(axis=-1)
    return np.minimum(ids, logits.shape[-1] - 1)


@wrong("number-reached")
def reached(logits, temperature, numbers):
    sums = np.cumsum(softmax(logits / temperature), axis=-1)
    rows = sums.reshape(-1, logits.shape[-1])
    draws = numbers.reshape(len(rows), -1)
    ids = [np.searchsorted(c, r) for c, r in zip(rows, draws, strict=True)]
    return np.minimum(ids, logits.shape[-1] - 1).reshape(numbers.shape)


@wrong("probability-instead")
def sums_that_exceed(logits, temperature, numbers):
    sums = np.cumsum(softmax(logits / temperature), axis=-1)
    ids = (sums[..., None, :] > numbers[..., None]).argmax(axis=-1)
    return np.take_along_axis(sums, ids, axis=-1)


@wrong("no-batch")
def one_long_sum(logits, temperature, numbers):
    sums = np.cumsum(softmax(logits / temperature)).reshape(logits.shape)
    return (sums[..., None, :] > numbers[..., :, None]).argmax(axis=-1)


wrong("wrong-dtype", says="where whole numbers were expected")(
    lambda x, t, n: _raw(soft(x / t), n) * 1.0
)


right, wrong = answers_of("append_to_cache")


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


@wrong("arrays-out-of-order")
def keys_first(*five):
    output, keys, values = by_hand(*five)
    return keys, values, output
