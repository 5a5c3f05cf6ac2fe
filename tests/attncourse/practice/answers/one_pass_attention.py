"""Right and wrong answers for one_pass_attention, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


def root(x):
    return x.shape[-1] ** 0.5


def one_pass(query, key, value, size=2, *, rescale=True, divide_early=False):
    """Attention with running maxima, sums and outputs."""
    largest = np.full((*query.shape[:-1], 1), -np.inf)
    total = mixed = np.zeros_like(largest)
    for start in range(0, key.shape[-2], size):
        block = slice(start, start + size)
        scores = query @ key[..., block, :].mT / root(query)
        before = largest
        largest = np.maximum(before, scores.max(axis=-1, keepdims=True))
        factor = np.exp(before - largest) if rescale else 1.0
        powers = np.exp(scores - largest)
        total = total * factor + powers.sum(axis=-1, keepdims=True)
        mixed = mixed * factor + powers @ value[..., block, :]
        if divide_early:
            mixed = mixed / total
    return mixed if divide_early else mixed / total


right(
    lambda q, k, v: one_pass(q, k, v, size=1),
    lambda q, k, v: one_pass(q, k, v, size=2),
    lambda q, k, v: one_pass(q, k, v, size=128),
)


@wrong("last-keys-lost")
def whole_blocks(query, key, value):
    kept = max(key.shape[-2] // 2, 1) * 2
    return one_pass(query, key[..., :kept, :], value[..., :kept, :])


@wrong("blocks-averaged")
def averaged(query, key, value, size=4):
    blocks = [slice(i, i + size) for i in range(0, key.shape[-2], size)]
    return sum(
        soft(query @ key[..., block, :].mT / root(query)) @ value[..., block, :]
        for block in blocks
    ) / len(blocks)


wrong("not-rescaled")(lambda q, k, v: one_pass(q, k, v, rescale=False))
wrong("missing-scale")(lambda q, k, v: one_pass(q * root(q), k, v))
wrong("divided-too-early")(
    lambda q, k, v: one_pass(q, k, v, divide_early=True),
    lambda q, k, v: one_pass(q, k, v, size=16, divide_early=True),
)


def by_blocks(query, key, value, starts, lowest=-np.inf):
    largest = np.full((*query.shape[:-1], 1), lowest)
    total = mixed = np.zeros_like(largest)
    for start in starts:
        block = slice(start, start + 16)
        scores = query @ key[..., block, :].mT / query.shape[-1] ** 0.5
        before, largest = largest, np.maximum(largest, scores.max(-1, keepdims=True))
        powers, factor = np.exp(scores - largest), np.exp(before - largest)
        total = total * factor + powers.sum(axis=-1, keepdims=True)
        mixed = mixed * factor + powers @ value[..., block, :]
    return mixed / total


@wrong("last-keys-lost")
def last_keys_lost(query, key, value):
    whole = max(1, key.shape[-2] // 16)
    return by_blocks(query, key, value, range(0, 16 * whole, 16))


@wrong("underflow")
def never_below_zero(query, key, value):
    return by_blocks(query, key, value, range(0, key.shape[-2], 16), lowest=0.0)


@wrong("one-piece-wrong")
def upside_down(query, key, value):
    largest, total, mixed = np.full((*query.shape[:-1], 1), -np.inf), 0, 0
    for j in range(key.shape[-2]):
        scores = query @ key[..., j : j + 1, :].mT / root(query)
        before, largest = largest, np.maximum(largest, scores)
        factor, powers = np.exp(largest - before), np.exp(scores - largest)
        total = total * factor + powers
        mixed = mixed * factor + powers * value[..., j : j + 1, :]
    return mixed / total


@wrong("one-piece-wrong")
def as_many_keys_as_queries(query, key, value):
    largest, total, mixed = np.full((*query.shape[:-1], 1), -np.inf), 0, 0
    for j in range(query.shape[-2]):
        scores = query @ key[..., j : j + 1, :].mT / root(query)
        before, largest = largest, np.maximum(largest, scores)
        factor, powers = np.exp(before - largest), np.exp(scores - largest)
        total = total * factor + powers
        mixed = mixed * factor + powers * value[..., j : j + 1, :]
    return mixed / total
