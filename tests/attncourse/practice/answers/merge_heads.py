"""Right and wrong answers for merge_heads, in several styles."""

import numpy as np

from attnlib.heads import merge_heads
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def merge_by_concatenating(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


@right
def merge_by_loops(x):
    if x.ndim > 3:
        return [merge_by_loops(one) for one in x]
    return [[number for head in x for number in head[i]] for i in range(x.shape[1])]


@right
def merge_by_einsum(x):
    *batch, n_heads, n, d_head = x.shape
    return np.einsum("...hnd->...nhd", x).reshape(*batch, n, n_heads * d_head)


@wrong("heads-without-transpose")
def merge_straight(x):
    *batch, n_heads, n, d_head = x.shape
    return x.reshape(*batch, n, n_heads * d_head)


@wrong("heads-without-transpose")
def merge_straight_by_counting(x):
    if x.ndim > 3:
        return np.array([merge_straight_by_counting(one) for one in x])
    numbers = [float(number) for number in x.ravel()]
    width = x.shape[0] * x.shape[2]
    return [numbers[i * width : (i + 1) * width] for i in range(x.shape[1])]


@wrong("heads-not-joined")
def not_joined(heads):
    return np.swapaxes(heads, -2, -3)


@wrong("heads-reversed")
def in_reverse(heads):
    last_first = [heads[..., i, :, :] for i in reversed(range(heads.shape[-3]))]
    return np.concatenate(last_first, axis=-1)


right(merge_heads)
wrong("wrong-axis")(
    lambda x: np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], -2),
    lambda x: np.concatenate(list(x), axis=0),
    lambda x: np.concatenate(list(x), axis=-1),
    lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1),
    lambda x: np.swapaxes(x, 0, 1).reshape(*x.shape[:-3], x.shape[-2], -1),
    lambda x: np.swapaxes(x, 1, 2).reshape(*x.shape[:-3], x.shape[-2], -1),
)
wrong("heads-added-up")(lambda x: x.sum(axis=-3), lambda x: np.mean(x, axis=-3))
wrong("heads-not-joined")(lambda x: np.moveaxis(x, -3, -2))
