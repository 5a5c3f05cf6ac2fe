"""Right and wrong answers to the exercises of lesson 9, in several styles."""

import math

import numpy as np

from attnlib import scaled_dot_product_attention as attend
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import safe, soft

right, wrong = answers_of("causal_mask")


@right
def causal_by_loops(n):
    return [[j <= i for j in range(n)] for i in range(n)]


wrong("looks-ahead")(lambda n: np.tril(np.ones((n, n), dtype=bool), k=1))
wrong("nothing-hidden")(lambda n: np.ones((n, n), dtype=bool))
wrong("everything-hidden")(lambda n: np.zeros((n, n), dtype=bool))
wrong("rows-columns-swapped")(lambda n: np.triu(np.ones((n, n), dtype=bool)))
wrong("rows-all-alike")(lambda n: [[j < n - 1 for j in range(n)]] * n)
wrong("hides-itself")(lambda n: np.arange(n) < np.arange(n)[:, None])
wrong("inverted")(lambda n: ~np.tri(n, dtype=bool))
wrong("hides-the-past")(lambda n: np.eye(n, dtype=bool))
wrong("wrong-dtype")(lambda n: np.tri(n, dtype=int).tolist())
wrong("wrong-shape")(lambda n: np.tri(n, dtype=bool)[None])


wrong("inverted", "wrong-dtype")(lambda n: np.triu(np.ones((n, n)), k=1))
wrong("looks-ahead", "wrong-dtype")(lambda n: np.where(np.tri(n, k=1), 0.0, -np.inf))


wrong("rows-reversed")(lambda n: np.tri(n, dtype=bool)[::-1])
wrong("key-hidden")(lambda n: [[1 <= j <= i for j in range(n)] for i in range(n)])
wrong("row-empty")(lambda n: np.tri(n, dtype=bool) & (np.arange(n) < n - 1)[:, None])


@wrong("rows-shared")
def one_row_repeated(n):
    mask = [[False] * n] * n
    for i in range(n):
        for j in range(i + 1):
            mask[i][j] = True
    return mask


right, wrong = answers_of("masked_attention")


def scaled(query, key):
    return np.einsum("...qd,...kd->...qk", query, key) / math.sqrt(key.shape[-1])


@right
def by_nan_to_num(query, key, value, mask):
    scores = scaled(query, key)
    scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return np.nan_to_num(soft(scores)) @ value


def mask_or_else(other):
    """Right but for what stands in place of a hidden score."""

    def answer(query, key, value, mask):
        return soft(np.where(mask, scaled(query, key), other)) @ value

    return answer


wrong("mask-ignored")(lambda q, k, v, mask: soft(scaled(q, k)) @ v)
wrong("mask-inverted")(
    lambda q, k, v, mask: safe(np.where(mask, -np.inf, scaled(q, k))) @ v
)
wrong("mask-after-softmax")(lambda q, k, v, mask: soft(scaled(q, k)) * mask @ v)
wrong("score-zero-instead-of-minus-infinity")(
    lambda q, k, v, mask: soft(scaled(q, k) * mask) @ v
)
wrong("nan-for-masked-row")(
    lambda q, k, v, mask: soft(scaled(q, k) + np.log(mask * 1.0)) @ v
)
wrong("output-for-masked-row")(mask_or_else(np.finfo(float).min))
wrong("mask-added")(lambda q, k, v, mask: soft(scaled(q, k) + mask) @ v)
wrong("mask-too-weak")(mask_or_else(-1.0), mask_or_else(-10.0))
wrong("mask-renormalized")(
    lambda q, k, v, mask: (
        (w := soft(scaled(q, k)) * mask) / (w.sum(-1, keepdims=True) + 1e-12) @ v
    )
)
wrong("overflow")(
    lambda q, k, v, mask: (
        (p := np.exp(scaled(q, k)) * mask)
        / np.maximum(p.sum(-1, keepdims=True), 1e-300)
        @ v
    )
)


wrong("missing-scale", "nan-for-masked-row")(
    lambda q, k, v, mask: soft(np.where(mask, q @ k.mT, -np.inf)) @ v
)
wrong("missing-scale", "mask-inverted")(
    lambda q, k, v, mask: soft(np.where(mask, -1e30, q @ k.mT)) @ v
)
wrong("mask-on-output")(
    lambda q, k, v, mask: (
        soft(np.where(mask.any(axis=-2, keepdims=True), scaled(q, k), -1e9)) @ v
    )
)
wrong("first-for-all")(
    lambda q, k, v, mask: attend(q, k, v, mask=mask.reshape(-1, *mask.shape[-2:])[0])
)


@wrong("one-row-for-all")
def zeros_for_all(query, key, value, mask):
    seen = np.broadcast_to(mask, (*query.shape[:-1], key.shape[-2]))
    output = attend(query, key, value, mask=mask)
    return output if seen.any(axis=-1).all() else 0 * output


@wrong("one-too-many-below")
def one_more(query, key, value, mask):
    scores = np.where(mask, query @ key.mT / np.sqrt(query.shape[-1]), -np.inf)
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(largest == -np.inf, 0, largest))
    return powers / (1 + powers.sum(axis=-1, keepdims=True)) @ value


def one_pass(query, key, value, mask, *, rescale=True, safe=True):
    """Key by key; unsafe, it subtracts −∞ from −∞ while every key is hidden."""
    scores = np.where(mask, scaled(query, key), -np.inf)
    largest = np.full((*scores.shape[:-1], 1), -np.inf)
    total = mixed = np.zeros_like(largest)
    for i in range(key.shape[-2]):
        before, score = largest, scores[..., i : i + 1]
        largest = np.maximum(before, score)
        kept = np.where(safe & np.isinf(largest), 0.0, largest)
        factor, power = np.exp(before - kept), np.exp(score - kept)
        total = total * factor + power
        old = mixed * (factor if rescale else 1)
        mixed = old + power * value[..., i : i + 1, :]
    return mixed / np.where(total == 0, 1, total)


right(one_pass)
wrong("not-rescaled")(lambda q, k, v, m: one_pass(q, k, v, m, rescale=False))
wrong("first-keys-hidden")(lambda q, k, v, m: one_pass(q, k, v, m, safe=False))


@wrong("overflow", seeds=(0, 1))  # rows are lost, or come out as zeros
def no_largest(query, key, value, mask):
    powers = np.exp(np.where(mask, scaled(query, key), -np.inf))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ value


@wrong("one-piece-wrong", says="`mask.any(axis=-1)`")
def flags_in_a_row(query, key, value, mask):
    rows = safe(np.where(mask, scaled(query, key), -np.inf)) @ value
    return np.where(mask.any(axis=-1), rows, 0.0)


@wrong("one-piece-wrong", says="begin below every number")
def from_zero(query, key, value, mask):
    largest = np.zeros((*query.shape[:-1], 1))
    total = mixed = np.zeros_like(largest)
    for j in range(key.shape[-2]):
        scores = query @ key[..., j, :, None] / query.shape[-1] ** 0.5
        scores = np.where(mask[..., j, None], scores, -np.inf)
        before, largest = largest, np.maximum(largest, scores)
        factor, powers = np.exp(before - largest), np.exp(scores - largest)
        total = total * factor + powers
        mixed = mixed * factor + powers * value[..., j, None, :]
    return mixed / np.where(total == 0, 1, total)


wrong("mask-ignored")(lambda q, k, v, mask: attend(q, k, v, is_causal=True))
