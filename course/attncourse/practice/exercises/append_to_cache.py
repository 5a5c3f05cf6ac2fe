"""append_to_cache: new tokens see what was kept, and themselves up to their place."""

from __future__ import annotations

import numpy as np

from attnlib.attention import scaled_dot_product_attention
from attnlib.masks import causal_mask
from attnlib.probabilities import softmax
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


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


def _last_only(s) -> np.ndarray:
    return CACHE["output"](s)[..., -1:, :]


def _scored(s) -> np.ndarray:
    return s.query @ s.keys.mT * s.scale


def _weak(s, more: int) -> np.ndarray:
    """Move the mask; where it hides every key, all of them get the same weight."""
    n_queries, n_keys = s.mask.shape[-2:]
    mask = np.tri(n_queries, n_keys, s.offset + more, dtype=bool)
    return softmax(np.where(mask, _scored(s), -1e9)) @ s.values


def _by(s, axis: int) -> np.ndarray:
    """Softmax along an axis; a column of nothing but hidden scores is not one."""
    return softmax(np.where(s.mask, _scored(s), -np.inf), axis=axis) @ s.values


def _late(s) -> np.ndarray:
    """Set weights to 0 after a softmax over all keys."""
    return softmax(s.query @ s.keys.mT * s.scale) * s.mask @ s.values


def _pieces(s, cached, new) -> np.ndarray:
    """Put a mask of the cache and one of the new keys side by side."""
    n_new, n_cached = s.query.shape[-2], s.cached_key.shape[-2]
    return np.hstack([cached((n_new, n_cached)), new(n_new, n_new)]) > 0


def _sees_cached(s) -> np.ndarray:
    places = np.arange(s.keys.shape[-2])
    return np.tile(places < s.cached_key.shape[-2], (s.query.shape[-2], 1))


MISTAKES = read_beside(__file__, globals(), CACHE)

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
