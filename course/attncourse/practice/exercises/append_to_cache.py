"""append_to_cache: new tokens see what was kept, and themselves up to their place."""

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attnlib.attention import scaled_dot_product_attention
from attnlib.masks import causal_mask
from attnlib.probabilities import softmax
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw caches of several lengths, with one new token and with more."""
    sizes = {
        "one new token": ((), 5, 1),
        "three new tokens": ((), 5, 3),
        "more new than cached": ((), 3, 5),
        "an empty cache": ((), 0, 5),
        "a batch": ((3,), 7, 3),
        "a batch of heads": ((2, 3), 5, 3),
    }
    widths = {"cached_key": 5, "cached_value": 7, "query": 5, "key": 5, "value": 7}
    shapes = {
        label: tuple(
            (*batch, n_cached if name.startswith("cached") else n_new, width)
            for name, width in widths.items()
        )
        for label, (batch, n_cached, n_new) in sizes.items()
    }
    return drawn(rng, shapes, *widths)


def _after(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    return np.concatenate([old, new], axis=-2)


# How keys and values are joined, and which keys each query sees.
CACHE: Steps = {
    "join": lambda s: _after,
    "keys": lambda s: s.join(s.cached_key, s.key),
    "values": lambda s: s.join(s.cached_value, s.value),
    "offset": lambda s: s.cached_key.shape[-2],
    "mask": lambda s: causal_mask(
        s.query.shape[-2], s.keys.shape[-2], query_offset=s.offset
    ),
    "scale": lambda s: s.query.shape[-1] ** -0.5,
    "output": lambda s: scaled_dot_product_attention(
        s.query, s.keys, s.values, mask=s.mask, scale=s.scale
    ),
    "all": lambda s: (s.output, s.keys, s.values),
}


def append_to_cache(
    cached_key: np.ndarray,
    cached_value: np.ndarray,
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Attend with causal order to what was kept and what is new; return all three."""
    keys, values = _after(cached_key, key), _after(cached_value, value)
    offset = cached_key.shape[-2]
    output = scaled_dot_product_attention(
        query, keys, values, is_causal=True, query_offset=offset
    )
    return output, keys, values


def _scored(s) -> np.ndarray:
    return s.query @ s.keys.mT * s.scale


def _weak(s, more: int) -> np.ndarray:
    """Move the mask; where it hides every key, all of them get the same weight."""
    n_queries, n_keys = s.mask.shape[-2:]
    mask = np.tri(n_queries, n_keys, s.offset + more, dtype=bool)
    return softmax(np.where(mask, _scored(s), -1e9)) @ s.values


def _pieces(s, cached, new) -> np.ndarray:
    """Put a mask of the cache and one of the new keys side by side."""
    n_new, n_cached = s.query.shape[-2], s.cached_key.shape[-2]
    return np.hstack([cached((n_new, n_cached)), new(n_new, n_new)]) > 0


def _last_only(s) -> np.ndarray:
    return CACHE["output"](s)[..., -1:, :]


TABLE = """
from attncourse.practice.mistakes import scale

SEES = which keys the first new query sees: all that were kept, and its own
LATER = what a new query may see of the other new ones: none that comes later
PLACE = where new rows stand: after all that were kept

offset | offset-forgotten | {SEES}
    counting the new queries from 0 = 0

offset | offset-off-by-one | {SEES}
    a query that does not see its own key = cached_key.shape[-2] - 1
    counting the queries from the number of new tokens = query.shape[-2]
    a query that sees one key ahead = cached_key.shape[-2] + 1

output | last-query-only | what comes back: an output for each new query
    the output of the last new query = _last_only(s)

mask | mask-ignored | {LATER}
    letting every new query see all new keys =
        np.ones((query.shape[-2], keys.shape[-2]), bool)

mask | sees-itself-only | what a new query may see of the other new ones: all that come
        before it
    letting each new query see the cache and itself, and no other new one =
        _pieces(s, np.ones, lambda n, _: np.eye(n))
    letting each new query see itself alone =
        _pieces(s, np.zeros, lambda n, _: np.eye(n))

mask | cache-hidden | {SEES}
    letting the new queries see the new keys so far, and no cache =
        _pieces(s, np.zeros, lambda n, _: np.tri(n))

mask | looks-ahead | {LATER}
    letting each new query see what comes after it, not before =
        _pieces(s, np.ones, lambda n, _: np.tri(n).T)
    hiding what should be seen and showing what should be hidden =
        ~causal_mask(query.shape[-2], keys.shape[-2], query_offset=offset)

mask | cache-only | {SEES}
    letting the new queries see what was kept and nothing new =
        np.tile(np.arange(keys.shape[-2]) < cached_key.shape[-2], (query.shape[-2], 1))

scale | scaled-by-n | {scale.DIVISOR}
    dividing by the root of the number of keys = keys.shape[-2] ** -0.5
    dividing by the number of keys = 1 / keys.shape[-2]
    dividing by the root of the number of new keys = key.shape[-2] ** -0.5
    dividing by the root of d_v = value.shape[-1] ** -0.5

scale | missing-scale | {scale.DIVISOR}
    leaving the scores unscaled = 1.0

scale | scaled-by-d_k | {scale.DIVISOR}
    dividing by d_k = 1 / query.shape[-1]

join | cache-overwritten | {PLACE}
    overwriting the last rows of the cache =
        lambda old, new: _after(old[..., : max(old.shape[-2] - new.shape[-2], 0), :],
            new)

join | appended-in-front | {PLACE}
    putting new rows first = lambda old, new: _after(new, old)

join | cache-ignored | where `cached_key` and `cached_value` are used
    new rows alone = lambda old, new: new

output | wrong-axis | the axis of softmax: the weights of one query add up to 1
    for axis in -2, 0: a softmax along axis {axis} =
        softmax(np.where(mask, _scored(s), -np.inf), axis={axis}) @ values

output | score-zero-instead-of-minus-infinity | the weight that a hidden score still
        gets: whose exponential is 0?
    giving hidden pairs a score of 0 = softmax(np.where(mask, _scored(s), 0.0)) @ values

output | offset-off-by-one | {SEES}
    a query that does not see its own key = _weak(s, -1)
    a query that sees one key ahead = _weak(s, 1)

output | looks-ahead | {LATER}
    hiding what should be seen and showing what should be hidden =
        softmax(np.where(mask, -1e9, _scored(s))) @ values

output | mask-after-softmax | the step at which the mask comes in: softmax should share
        among the rest
    setting weights to 0 after softmax = softmax(_scored(s)) * mask @ values

all | appended-in-front | {PLACE}
    putting new keys and values before those that were kept =
        output, _after(key, cached_key), _after(value, cached_value)
    putting new keys before those that were kept =
        output, _after(key, cached_key), values
    putting new values before those that were kept =
        output, keys, _after(value, cached_value)

all | value-not-appended | what is returned: keys and values, each with its new rows
    returning the keys for the values = output, keys, keys
    appending to the keys and not to the values = output, keys, cached_value
    appending to the values and not to the keys = output, cached_key, values

all | arrays-out-of-order | what is returned, and in which order: output, keys, values
    giving keys and values first, and the output last = keys, values, output

all | nothing-appended | what is returned: the cache with its new rows, for the next
        call
    returning the cache as it was = output, cached_key, cached_value
    returning the new rows alone = output, key, value

all | key-value-swapped | the order of what is returned: output, keys, values
    giving values before keys = output, values, keys
"""

EXERCISE = exercise(
    globals(), append_to_cache, CACHE, returns=("output", "keys", "values"), patience=10
)
