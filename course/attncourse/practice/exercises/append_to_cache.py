"""append_to_cache: new tokens see what was kept, and themselves up to their place."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps
from attncourse.practice.mistakes.scale import DIVISOR
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib.attention import scaled_dot_product_attention
from attnlib.masks import causal_mask
from attnlib.probabilities import softmax


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw caches of several lengths, with one new token and with more."""
    shapes = {
        "one new token": ((), 5, 1),
        "three new tokens": ((), 5, 3),
        "more new than cached": ((), 3, 5),
        "an empty cache": ((), 0, 5),
        "a batch": ((3,), 7, 3),
        "a batch of heads": ((2, 3), 5, 3),
    }
    return [_case(rng, label, *sizes) for label, sizes in shapes.items()]


def _case(
    rng: np.random.Generator, label: str, batch: tuple, n_cached: int, n_new: int
) -> Case:
    d_k, d_v = 5, 7
    return case(
        label,
        axes=2,
        cached_key=normal(rng, *batch, n_cached, d_k),
        cached_value=normal(rng, *batch, n_cached, d_v),
        query=normal(rng, *batch, n_new, d_k),
        key=normal(rng, *batch, n_new, d_k),
        value=normal(rng, *batch, n_new, d_v),
    )


def _after(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    return np.concatenate([old, new], axis=-2)


def _over(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Put new rows in the place of the last old ones."""
    kept = old[..., : max(old.shape[-2] - new.shape[-2], 0), :]
    return _after(kept, new)


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
    mask = np.tri(*s.mask.shape[-2:], k=s.offset + more, dtype=bool)
    return softmax(np.where(mask, _scored(s), -1e9)) @ s.values


def _by(s, axis: int) -> np.ndarray:
    """Softmax along an axis; a column of nothing but hidden scores is not one."""
    return softmax(np.where(s.mask, _scored(s), -np.inf), axis=axis) @ s.values


def _late(s) -> np.ndarray:
    """Set weights to 0 after a softmax over all keys."""
    return softmax(s.query @ s.keys.mT * s.scale) * s.mask @ s.values


PLACE = "where new rows stand: after all that were kept"
SEES = "which keys the first new query sees: all that were kept, and its own"

WAYS = {
    "offset": {
        "offset-forgotten": (
            SEES,
            ("counting the new queries from 0", lambda s: 0),
        ),
        "offset-off-by-one": (
            SEES,
            (
                "a query that does not see its own key",
                lambda s: s.cached_key.shape[-2] - 1,
            ),
            (
                "counting the queries from the number of new tokens",
                lambda s: s.query.shape[-2],
            ),
            (
                "a query that sees one key ahead",
                lambda s: s.cached_key.shape[-2] + 1,
            ),
        ),
    },
    "mask": {
        "mask-ignored": (
            "what a new query may see of the other new ones: none that comes later",
            (
                "letting every new query see all new keys",
                lambda s: np.ones((s.query.shape[-2], s.keys.shape[-2]), bool),
            ),
        ),
        "sees-itself-only": (
            "what a new query may see of the other new ones: all that come before it",
            (
                "letting each new query see the cache and itself, and no other new one",
                lambda s: _pieces(s, np.ones, lambda n, _: np.eye(n)),
            ),
            (
                "letting each new query see itself alone",
                lambda s: _pieces(s, np.zeros, lambda n, _: np.eye(n)),
            ),
        ),
        "cache-hidden": (
            SEES,
            (
                "letting the new queries see the new keys so far, and no cache",
                lambda s: _pieces(s, np.zeros, lambda n, _: np.tri(n)),
            ),
        ),
        "looks-ahead": (
            "what a new query may see of the other new ones: none that comes later",
            (
                "letting each new query see what comes after it, not before",
                lambda s: _pieces(s, np.ones, lambda n, _: np.tri(n).T),
            ),
            (
                "hiding what should be seen and showing what should be hidden",
                lambda s: (
                    ~causal_mask(
                        s.query.shape[-2], s.keys.shape[-2], query_offset=s.offset
                    )
                ),
            ),
        ),
        "cache-only": (
            SEES,
            (
                "letting the new queries see what was kept and nothing new",
                lambda s: _sees_cached(s),
            ),
        ),
    },
    "scale": {
        "scaled-by-n": (
            DIVISOR,
            (
                "dividing by the root of the number of keys",
                lambda s: s.keys.shape[-2] ** -0.5,
            ),
            ("dividing by the number of keys", lambda s: 1 / s.keys.shape[-2]),
            (
                "dividing by the root of the number of new keys",
                lambda s: s.key.shape[-2] ** -0.5,
            ),
            (
                "dividing by the root of d_v",
                lambda s: s.value.shape[-1] ** -0.5,
            ),
        ),
        "missing-scale": (DIVISOR, ("leaving the scores unscaled", lambda s: 1.0)),
        "scaled-by-d_k": (
            DIVISOR,
            ("dividing by d_k", lambda s: 1 / s.query.shape[-1]),
        ),
    },
    "join": {
        "cache-overwritten": (
            PLACE,
            ("overwriting the last rows of the cache", lambda s: _over),
        ),
        "appended-in-front": (
            PLACE,
            ("putting new rows first", lambda s: lambda old, new: _after(new, old)),
        ),
        "cache-ignored": (
            "where `cached_key` and `cached_value` are used",
            ("new rows alone", lambda s: lambda old, new: new),
        ),
    },
    "output": {
        "wrong-axis": (
            "the axis of softmax: the weights of one query add up to 1",
            *(
                (f"a softmax along axis {axis}", lambda s, axis=axis: _by(s, axis))
                for axis in (-2, 0)
            ),
        ),
        "score-zero-instead-of-minus-infinity": (
            "the weight that a hidden score still gets: whose exponential is 0?",
            (
                "giving hidden pairs a score of 0",
                lambda s: softmax(np.where(s.mask, _scored(s), 0.0)) @ s.values,
            ),
        ),
        "offset-off-by-one": (
            SEES,
            ("a query that does not see its own key", lambda s: _weak(s, -1)),
            ("a query that sees one key ahead", lambda s: _weak(s, 1)),
        ),
        "looks-ahead": (
            "what a new query may see of the other new ones: none that comes later",
            (
                "hiding what should be seen and showing what should be hidden",
                lambda s: softmax(np.where(s.mask, -1e9, _scored(s))) @ s.values,
            ),
        ),
        "mask-after-softmax": (
            "the step at which the mask comes in: softmax should share among the rest",
            ("setting weights to 0 after softmax", _late),
        ),
    },
    "all": {
        "appended-in-front": (
            PLACE,
            (
                "putting new keys and values before those that were kept",
                lambda s: (
                    s.output,
                    _after(s.key, s.cached_key),
                    _after(s.value, s.cached_value),
                ),
            ),
            (
                "putting new keys before those that were kept",
                lambda s: (s.output, _after(s.key, s.cached_key), s.values),
            ),
            (
                "putting new values before those that were kept",
                lambda s: (s.output, s.keys, _after(s.value, s.cached_value)),
            ),
        ),
        "value-not-appended": (
            "what is returned: keys and values, each with its new rows",
            (
                "returning the keys for the values",
                lambda s: (s.output, s.keys, s.keys),
            ),
            (
                "appending to the keys and not to the values",
                lambda s: (s.output, s.keys, s.cached_value),
            ),
            (
                "appending to the values and not to the keys",
                lambda s: (s.output, s.cached_key, s.values),
            ),
        ),
        "arrays-out-of-order": (
            "what is returned, and in which order: output, keys, values",
            (
                "giving keys and values first, and the output last",
                lambda s: (s.keys, s.values, s.output),
            ),
            (
                "giving the values before the keys",
                lambda s: (s.output, s.values, s.keys),
            ),
        ),
        "nothing-appended": (
            "what is returned: the cache with its new rows, for the next call",
            (
                "returning the cache as it was",
                lambda s: (s.output, s.cached_key, s.cached_value),
            ),
            (
                "returning the new rows alone",
                lambda s: (s.output, s.key, s.value),
            ),
        ),
        "key-value-swapped": (
            "the order of what is returned: output, keys, values",
            (
                "giving values before keys",
                lambda s: (s.output, s.values, s.keys),
            ),
        ),
    },
}


def _pieces(s, cached, new) -> np.ndarray:
    """Put a mask of the cache and one of the new keys side by side."""
    n_new, n_cached = s.query.shape[-2], s.cached_key.shape[-2]
    return np.hstack([cached((n_new, n_cached)), new(n_new, n_new)]) > 0


def _sees_cached(s) -> np.ndarray:
    places = np.arange(s.keys.shape[-2])
    return np.tile(places < s.cached_key.shape[-2], (s.query.shape[-2], 1))


MISTAKES = tuple(one for step, ways in WAYS.items() for one in mistakes_in(step, ways))

EXERCISES = (
    Exercise(
        "append_to_cache",
        append_to_cache,
        draw,
        CACHE,
        MISTAKES,
        returns=("output", "keys", "values"),
        patience=10,
    ),
)
