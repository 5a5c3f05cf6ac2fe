"""Right and wrong answers for grouped_attention, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.answers.rotary_attention import attend

right, wrong = answers_of(__name__)


@wrong("tiled-instead-of-repeated")
def tiled(query, key, value):
    times = (*[1] * (key.ndim - 3), query.shape[-3] // key.shape[-3], 1, 1)
    return attend(query, np.tile(key, times), np.tile(value, times))


right(
    lambda q, k, v: attend(
        q, *(np.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    )
)


@wrong("heads-out-of-order")
def by_groups(query, key, value):
    *leading, n_heads, n, d = query.shape
    shared = key.shape[-3]
    groups = query.reshape(*leading, shared, n_heads // shared, n, d)
    groups = np.swapaxes(groups, -4, -3)
    output = attend(groups, key[..., None, :, :, :], value[..., None, :, :, :])
    return output.reshape(*leading, n_heads, n, value.shape[-1])


@wrong("query-heads-dropped")
def queries_averaged(query, key, value):
    *batch, n_heads, n, d = query.shape
    groups = query.reshape(*batch, key.shape[-3], n_heads // key.shape[-3], n, d)
    return attend(groups.mean(axis=-3), key, value)


@wrong("constant-number")
def two_for_each(query, key, value):
    return attend(query, np.repeat(key, 2, axis=-3), np.repeat(value, 2, axis=-3))


@wrong("one-piece-wrong")
def one_axis_of_batches(query, key, value):
    times, axis = query.shape[-3] // key.shape[-3], 0 if key.ndim == 3 else 1
    return attend(query, *(np.repeat(x, times, axis=axis) for x in (key, value)))


@wrong("heads-averaged")
def mean_of_each_group(query, key, value):
    every = query.shape[-3] // key.shape[-3]
    output = attend(query, *(np.repeat(x, every, axis=-3) for x in (key, value)))
    *batch, n_heads, n, d = output.shape
    return output.reshape(*batch, n_heads // every, every, n, d).mean(axis=-3)


@wrong("groups-not-merged")
def an_axis_of_groups(query, key, value):
    groups = key.shape[-3]
    q = query.reshape(*query.shape[:-3], groups, -1, *query.shape[-2:])
    return attend(q, key[..., :, None, :, :], value[..., :, None, :, :])
