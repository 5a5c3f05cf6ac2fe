"""grouped_attention: several query heads share a head of keys and values."""

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attncourse.practice.exercises import attention as plain
from attnlib import scaled_dot_product_attention
from named_mistakes.exercise import Case, Steps


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
    shapes = {
        label: ((*heads, n_q, d_k), (*shared, n_k, d_k), (*shared, n_k, d_v))
        for label, (heads, shared) in counts.items()
    }
    return drawn(rng, shapes, "query", "key", "value", axes=3)


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


def _tokens_repeated(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    more = np.repeat(x, query.shape[-3] // x.shape[-3], axis=-2)
    return more.reshape(*x.shape[:-3], -1, *x.shape[-2:])


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


# To share is a function: what is wrong with it is wrong of keys and of values.
GROUPED: Steps = {
    "share": lambda s: _repeated,
    "all_keys": lambda s: s.share(s.key, s.query),
    "all_values": lambda s: s.share(s.value, s.query),
    "scores": lambda s: s.query @ s.all_keys.mT,
    "scaled": plain.ATTENTION["scaled"],
    "weights": plain.ATTENTION["weights"],
    "output": lambda s: s.weights @ s.all_values,
}


TABLE = """
from attncourse.practice.mistakes import scale
from attncourse.practice.mistakes.normalization import in_place_of
from attncourse.practice.mistakes.scale import after_mistakes

ORDER = which query heads share: neighbors, so each head is repeated in a row
GROUP = which head a query head shares: h // (n_heads / n_kv_heads), the first h being 0

tiled-instead-of-repeated | {ORDER}
    keys and values in the order 0 1 0 1, as np.tile makes them = share: _tiled
    values in the order 0 1 0 1, and keys in the order 0 0 1 1 =
        all_values: _tiled(value, query)
    keys in the order 0 1 0 1, and values in the order 0 0 1 1 =
        all_keys: _tiled(key, query)

share | one-head-for-all | how many query heads share one head: n_heads / n_kv_heads of
        them
    the first head of keys and values for every query head = _first

share | wrong-head | {GROUP}
    head h of the queries with head h // n_kv_heads =
        lambda x, query: x[..., np.arange(query.shape[-3]) // x.shape[-3], :, :]
    the heads of keys and values in reverse order =
        lambda x, query: _repeated(x[..., ::-1, :, :], query)
    the last head of keys and values for every query head =
        lambda x, query: _first(x[..., -1:, :, :], query)
    for what in mean, sum: the {what} of all heads of keys and values =
        lambda x, query: _first(x.{what}(axis=-3, keepdims=True), query)
    the head after the one that is meant =
        lambda x, query: _repeated(np.roll(x, -1, axis=-3), query)
    the head of the query head after the one that is meant =
        lambda x, query: np.roll(_repeated(x, query), -1, axis=-3)
    the head of the query head before the one that is meant =
        lambda x, query: np.roll(_repeated(x, query), 1, axis=-3)

share | wrong-axis | what is repeated: heads, not tokens
    repeating the tokens, and a reshape to the heads = _tokens_repeated

scores | heads-averaged | which query attends: each query head by itself
    the mean of the query heads of each group = _group_mean(query, key) @ all_keys.mT

output | value-key-swapped | what is mixed: the values
    a weighted sum of keys = weights @ all_keys

scaled | scaled-by-d_model | what the scores are divided by: √d_k, of one head
    dividing by the root of all heads' columns =
        scores * (query.shape[-1] * query.shape[-3]) ** -0.5
    dividing by the root of the number of heads = scores * query.shape[-3] ** -0.5

output | heads-averaged | what comes back: one output for each query head, as it is
    dividing by the number of query heads in a group =
        weights @ all_values * key.shape[-3] / query.shape[-3]

output | heads-out-of-order | what is undone at the end: axes that were exchanged before
        the heads attend
    heads that come back in another order: the groups by turns =
        _by_turns(weights @ all_values, key)

scores | heads-out-of-order | {ORDER}
    query heads that are taken by turns, and put back as they are =
        _by_turns(query, key) @ all_keys.mT

output | heads-averaged | what comes back: one output for each query head
    the mean of the query heads of each group = _group_mean(weights @ all_values, key)
    adding up the query heads of each group = _groups(weights @ all_values, key).sum(-3)
    the mean of the query heads of each group, and nothing else =
        _groups(weights @ all_values, key).mean(-3)

output | groups-not-merged | what comes back: all query heads along one axis again
    an axis of groups that is left in = _groups(weights @ all_values, key)

all_keys, all_values, output | query-heads-dropped | which heads stay: all of the
        queries,
        each with an output of its own
    one query head for each group = key, value, _one_each(query, key, value)
    the mean of the query heads of a group = key, value, _mean_of_each(query, key,
        value)

wrong-head | {GROUP}
    the first head of keys for every query head, with the right values =
        all_keys: _first(key, query)
    the first head of values for every query head, with the right keys =
        all_values: _first(value, query)

output | keys-of-all-heads | which keys a query head sees: those of the one head it
        shares
    the keys of all heads, one after the other, for every query head =
        _all_in_a_row(query, key, value)

include only(plain.EXERCISE.mistakes, "weights-returned", "softmax-missing",
        "mask-not-asked")
include scale.MISTAKES
include after_mistakes()
include in_place_of("weights", "scaled", ("overflow", "keepdims-forgotten"))
"""

EXERCISE = exercise(globals(), reference, GROUPED)
