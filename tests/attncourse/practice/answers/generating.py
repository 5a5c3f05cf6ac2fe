"""Right and wrong answers to the exercises of the pages on models that write."""

import numpy as np

from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import changed, naive, soft

right, wrong = answers_of("sample_with_temperature")


def searched(logits, temperature, numbers, side="right"):
    """Search each row for its numbers."""
    rows = np.cumsum(soft(logits / temperature), axis=-1)
    pairs = zip(
        rows.reshape(-1, rows.shape[-1]),
        numbers.reshape(-1, numbers.shape[-1]),
        strict=True,
    )
    found = [np.searchsorted(row, each, side=side) for row, each in pairs]
    return np.reshape(found, numbers.shape)


@right
def counted(logits, temperature, numbers, weigh=soft):
    """Count how many cumulative probabilities a number has passed."""
    rows = np.cumsum(weigh(logits / temperature), axis=-1)
    passed = (rows[..., None, :] <= numbers[..., None]).sum(axis=-1)
    return np.minimum(passed, logits.shape[-1] - 1)


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


wrong("overflow")(lambda x, t, n: counted(x, t, n, weigh=naive))
wrong("number-reached")(lambda x, t, n: searched(x, t, n, side="left"))
wrong("probability-instead")(
    lambda x, t, n: np.take_along_axis(
        np.cumsum(soft(x / t), axis=-1), searched(x, t, n), axis=-1
    )
)
wrong("no-batch")(
    lambda x, t, n: (
        np.cumsum(soft(x / t)).reshape(x.shape)[..., None, :] > n[..., None]
    ).argmax(-1)
)


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


OUTPUT = "attend(query, keys, values, cached_key.shape[-2])"
for code, *pieces in (
    ("offset-forgotten", "cached_key.shape[-2]) → 0)"),
    ("mask-ignored", "cached_key.shape[-2]) → np.inf)"),
    ("nothing-appended", "), keys, values → ), key, value"),
    ("arrays-out-of-order", f"{OUTPUT}, keys, values → keys, values, {OUTPUT}"),
    (
        "appended-in-front",
        "[cached_key, key] → [key, cached_key]",
        "[cached_value, value] → [value, cached_value]",
    ),
    # As a ring does: room for the new rows is taken from the end.
    (
        "cache-overwritten",
        "[cached_key, → [kept(cached_key, key),",
        "[cached_value, → [kept(cached_value, value),",
    ),
):
    wrong(code)(changed(by_hand, *pieces))


def kept(cached, new):
    return cached[..., : max(cached.shape[-2] - new.shape[-2], 0), :]


@wrong("inputs-changed")
def in_place(cached_key, cached_value, query, key, value):
    right = by_hand(cached_key, cached_value, query, key, value)
    n = min(key.shape[-2], cached_key.shape[-2])
    cached_key[..., :n, :] = key[..., :n, :]
    return right
