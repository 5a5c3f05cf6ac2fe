"""grouped_attention: several query heads share a head of keys and values."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Step, Steps, mistake
from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.normalization import in_place_of
from attncourse.practice.mistakes.scale import after_mistakes, scale_mistakes
from attnlib import scaled_dot_product_attention


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw more query heads than heads of keys and values, and as many."""
    n_q, n_k, d_k, d_v = (int(n) for n in rng.permutation([3, 5, 7, 11]))
    counts = {
        "6 heads share 2": ((6,), (2,)),
        "6 heads share 3": ((6,), (3,)),
        "4 heads share 1": ((4,), (1,)),
        "3 heads, nothing shared": ((3,), (3,)),
        "a batch": ((2, 6), (2, 3)),
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


def _next(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    return _repeated(np.roll(x, -1, axis=-3), query)


def _by_turns(x: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Take the first head of each group, then the second of each, and so on."""
    *batch, n_heads, n, d = x.shape
    groups = x.reshape(*batch, key.shape[-3], n_heads // key.shape[-3], n, d)
    return np.swapaxes(groups, -4, -3).reshape(x.shape)


def _group_mean(x: np.ndarray, key: np.ndarray) -> np.ndarray:
    *batch, n_heads, n, d = x.shape
    groups = x.reshape(*batch, key.shape[-3], n_heads // key.shape[-3], n, d)
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

ORDER = "which query heads share: neighbors, so each head is repeated in a row"
GROUP = (
    "which head a query head shares: h // (n_heads / n_kv_heads), the first h being 0"
)
MISTAKES = (
    mistake(
        "tiled-instead-of-repeated",
        "keys and values in the order 0 1 0 1, as np.tile makes them",
        ORDER,
        **_both(_tiled),
    ),
    mistake(
        "tiled-instead-of-repeated",
        "values in the order 0 1 0 1, and keys in the order 0 0 1 1",
        ORDER,
        all_values=lambda s: _tiled(s.value, s.query),
    ),
    mistake(
        "tiled-instead-of-repeated",
        "keys in the order 0 1 0 1, and values in the order 0 0 1 1",
        ORDER,
        all_keys=lambda s: _tiled(s.key, s.query),
    ),
    mistake(
        "one-head-for-all",
        "the first head of keys and values for every query head",
        "how many query heads share one head: n_heads / n_kv_heads of them",
        **_both(_first),
    ),
    *(
        mistake("wrong-head", cause, GROUP, **_both(way))
        for cause, way in (
            ("head h of the queries with head h // n_kv_heads", _divided),
            ("the heads of keys and values in reverse order", _backwards),
            ("the last head of keys and values for every query head", _last),
            ("the mean of all heads of keys and values", _mean),
            ("the sum of all heads of keys and values", _sum),
            ("the head after the one that is meant", _next),
        )
    ),
    mistake(
        "heads-averaged",
        "dividing by the number of query heads in a group",
        "what comes back: one output for each query head, as it is",
        output=lambda s: s.weights @ s.all_values * s.key.shape[-3] / s.query.shape[-3],
    ),
    mistake(
        "heads-out-of-order",
        "heads that come back in another order: the groups by turns",
        "what is undone at the end: axes that were exchanged before the heads attend",
        output=lambda s: _by_turns(s.weights @ s.all_values, s.key),
    ),
    mistake(
        "heads-out-of-order",
        "query heads that are taken by turns, and put back as they are",
        ORDER,
        scores=lambda s: _by_turns(s.query, s.key) @ s.all_keys.mT,
    ),
    mistake(
        "heads-averaged",
        "the mean of the query heads of each group",
        "what comes back: one output for each query head",
        output=lambda s: _group_mean(s.weights @ s.all_values, s.key),
    ),
    *scale_mistakes(),
    *after_mistakes(),
    *in_place_of("weights", "scaled", ("overflow", "keepdims-forgotten")),
)

EXERCISES = (Exercise("grouped_attention", reference, draw, GROUPED, MISTAKES),)
