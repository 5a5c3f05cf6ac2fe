"""grouped_attention: several query heads share a head of keys and values."""

from __future__ import annotations

import numpy as np

from attncourse.practice.exercises import attention as plain
from attnlib import scaled_dot_product_attention
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Step, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw more query heads than heads of keys and values, and as many."""
    n_q, n_k, d_k, d_v = (int(n) for n in rng.permutation([3, 5, 7, 11]))
    counts = {
        "6 heads share 2": ((6,), (2,)),
        "6 heads share 3": ((6,), (3,)),
        "4 heads share 1": ((4,), (1,)),
        "3 heads, nothing shared": ((3,), (3,)),
        "a batch": ((2, 6), (2, 3)),
        "two axes of batches": ((2, 3, 4), (2, 3, 2)),
    }
    return [
        case(
            label,
            axes=3,
            query=normal(rng, *heads, n_q, d_k),
            key=normal(rng, *shared, n_k, d_k),
            value=normal(rng, *shared, n_k, d_v),
        )
        for label, (heads, shared) in counts.items()
    ]


def reference(query, key, value):
    """Attnlib's own answer."""
    return scaled_dot_product_attention(query, key, value, enable_gqa=True)


def _repeated(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return np.repeat(x, query.shape[-3] // x.shape[-3], axis=-3)


def _tiled(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    times = query.shape[-3] // x.shape[-3]
    return np.concatenate([x] * times, axis=-3)


def _first(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return np.broadcast_to(x[..., :1, :, :], (*query.shape[:-2], *x.shape[-2:]))


def _divided(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    heads = np.arange(query.shape[-3]) // x.shape[-3]
    return x[..., heads, :, :]


def _backwards(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return _repeated(x[..., ::-1, :, :], query)


def _last(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return _first(x[..., -1:, :, :], query)


def _mean(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return _first(x.mean(axis=-3, keepdims=True), query)


def _sum(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return _first(x.sum(axis=-3, keepdims=True), query)


def _tokens_repeated(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    more = np.repeat(x, query.shape[-3] // x.shape[-3], axis=-2)
    return more.reshape(*x.shape[:-3], -1, *x.shape[-2:])


def _next(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return _repeated(np.roll(x, -1, axis=-3), query)


def _by_turns(x: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Take the first head of each group, then the second of each, and so on."""
    return np.swapaxes(_groups(x, key), -4, -3).reshape(x.shape)


def _groups(x: np.ndarray, key: np.ndarray) -> np.ndarray:
    *batch, n_heads, n, d = x.shape
    return x.reshape(*batch, key.shape[-3], n_heads // key.shape[-3], n, d)


def _one_each(query, key, value) -> np.ndarray:
    every = query.shape[-3] // key.shape[-3]
    return scaled_dot_product_attention(query[..., ::every, :, :], key, value)


def _mean_of_each(query, key, value) -> np.ndarray:
    queries = _groups(query, key).mean(axis=-3)
    return scaled_dot_product_attention(queries, key, value)


def _all_in_a_row(query, key, value) -> np.ndarray:
    row = (x.reshape(*x.shape[:-3], 1, -1, x.shape[-1]) for x in (key, value))
    return scaled_dot_product_attention(query, *row)


def _group_mean(x: np.ndarray, key: np.ndarray) -> np.ndarray:
    groups = _groups(x, key)
    return np.broadcast_to(groups.mean(axis=-3, keepdims=True), groups.shape).reshape(
        x.shape
    )


def _both(way) -> Steps:
    return {
        "all_keys": lambda s: way(s.key, s.query),
        "all_values": lambda s: way(s.value, s.query),
    }


SCORES: Step = lambda s: s.query @ s.all_keys.mT  # noqa: E731
GROUPED: Steps = {
    **_both(_repeated),
    "scores": SCORES,
    "scaled": plain.ATTENTION["scaled"],
    "weights": plain.ATTENTION["weights"],
    "output": lambda s: s.weights @ s.all_values,
}


MISTAKES = read_beside(__file__, globals(), GROUPED)

EXERCISES = (Exercise("grouped_attention", reference, draw, GROUPED, MISTAKES),)
