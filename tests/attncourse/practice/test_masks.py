"""Wrong and right answers for masked_attention and causal_mask."""

import math

import numpy as np
import pytest

from attnlib import causal_mask, scaled_dot_product_attention
from tests.attncourse.practice.judging import (
    assert_found,
    assert_passes,
    codes,
    soft,
)

NAME = "masked_attention"


def scaled(query, key):
    return np.einsum("...qd,...kd->...qk", query, key) / math.sqrt(key.shape[-1])


def zeros_for_nothing(mask, output):
    return np.where(np.any(mask, axis=-1)[..., None], output, 0.0)


def by_library(query, key, value, mask):
    return scaled_dot_product_attention(query, key, value, mask=mask)


def by_large_negative(query, key, value, mask):
    weights = soft(np.where(mask, scaled(query, key), -1e9))
    return zeros_for_nothing(mask, weights @ value)


def by_adding(query, key, value, mask):
    scores = scaled(query, key) + np.where(mask, 0.0, -np.inf)
    largest = np.max(scores, axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isinf(largest), 0, largest))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ value


def by_nan_to_num(query, key, value, mask):
    scores = scaled(query, key)
    scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return np.nan_to_num(soft(scores)) @ value


def by_loops(query, key, value, mask):
    if query.ndim > 2:
        masks = mask if mask.ndim > 2 else [mask] * len(query)
        parts = zip(query, key, value, masks, strict=True)
        return np.array([by_loops(*part) for part in parts])
    output = np.zeros((len(query), value.shape[1]))
    mask = np.broadcast_to(mask, (len(query), len(key)))
    for i, q in enumerate(query):
        seen = [j for j in range(len(key)) if mask[i, j]]
        if seen:
            scores = [sum(q * key[j]) / len(q) ** 0.5 for j in seen]
            powers = [math.exp(score - max(scores)) for score in scores]
            for power, j in zip(powers, seen, strict=True):
                output[i] += power / sum(powers) * value[j]
    return output


@pytest.mark.parametrize(
    "answer", [by_library, by_large_negative, by_adding, by_nan_to_num, by_loops]
)
def test_right(answer):
    assert_passes(NAME, answer)


def safe(scores):
    """Softmax with zeros for a row of nothing but −∞."""
    return np.nan_to_num(soft(scores))


def mask_or_else(other):
    """Right but for what stands in place of a hidden score."""

    def answer(query, key, value, mask):
        return soft(np.where(mask, scaled(query, key), other)) @ value

    return answer


WRONG = {
    "mask-ignored": [
        lambda q, k, v, mask: soft(scaled(q, k)) @ v,
        lambda q, k, v, mask: [list(row) for row in soft(scaled(q, k)) @ v],
    ],
    "mask-inverted": [
        lambda q, k, v, mask: safe(np.where(mask, -np.inf, scaled(q, k))) @ v,
        lambda q, k, v, mask: by_large_negative(q, k, v, ~mask),
        lambda q, k, v, mask: by_loops(q, k, v, np.logical_not(mask)),
        lambda q, k, v, mask: soft(scaled(q, k) - 1e9 * mask) @ v,
    ],
    "mask-after-softmax": [
        lambda q, k, v, mask: soft(scaled(q, k)) * mask @ v,
        lambda q, k, v, mask: np.where(mask, soft(scaled(q, k)), 0) @ v,
    ],
    "score-zero-instead-of-minus-infinity": [
        mask_or_else(0.0),
        lambda q, k, v, mask: soft(scaled(q, k) * mask) @ v,
        mask_or_else(1e-9),
        lambda q, k, v, mask: zeros_for_nothing(mask, mask_or_else(0)(q, k, v, mask)),
    ],
    "nan-for-masked-row": [
        mask_or_else(-np.inf),
        lambda q, k, v, mask: soft(scaled(q, k) + np.log(mask * 1.0)) @ v,
    ],
    "output-for-masked-row": [mask_or_else(-1e9), mask_or_else(np.finfo(float).min)],
    "mask-added": [lambda q, k, v, mask: soft(scaled(q, k) + mask) @ v],
    "mask-too-weak": [mask_or_else(-1.0), mask_or_else(-10.0)],
    "mask-renormalised": [
        lambda q, k, v, mask: (
            (w := soft(scaled(q, k)) * mask) / (w.sum(-1, keepdims=True) + 1e-12) @ v
        )
    ],
    "missing-scale": [
        lambda q, k, v, mask: (
            safe(np.where(mask, q @ np.swapaxes(k, -1, -2), -np.inf)) @ v
        )
    ],
    "overflow": [
        lambda q, k, v, mask: (
            (p := np.exp(scaled(q, k)) * mask)
            / np.maximum(p.sum(-1, keepdims=True), 1e-300)
            @ v
        )
    ],
}
CASES = [(code, answer) for code, answers in WRONG.items() for answer in answers]


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_wrong(code, answer):
    assert_found(NAME, code, answer)


def in_one_pass(query, key, value, mask, size=1, safe=False):
    """Online softmax; unsafe, it subtracts −∞ from −∞ while every key is hidden."""
    largest = np.full((*query.shape[:-1], 1), -np.inf)
    total = mixed = np.zeros_like(largest)
    mask = np.broadcast_to(mask, (*query.shape[:-1], key.shape[-2]))
    for start in range(0, key.shape[-2], size):
        some = slice(start, start + size)
        scores = scaled(query, key[..., some, :])
        scores = np.where(mask[..., some], scores, -np.inf)
        new = np.maximum(largest, scores.max(axis=-1, keepdims=True))
        finite = np.where(np.isinf(new), 0, new) if safe else new
        factor, powers = np.exp(largest - finite), np.exp(scores - finite)
        total = total * factor + powers.sum(axis=-1, keepdims=True)
        mixed, largest = mixed * factor + powers @ value[..., some, :], new
    return mixed / np.where(total == 0, 1, total)


@pytest.mark.parametrize("size", [1, 2])
def test_in_one_pass(size):
    assert_passes(NAME, lambda *four: in_one_pass(*four, size, safe=True))
    for found in codes(NAME, lambda *four: in_one_pass(*four, size)):
        assert found == {"first-keys-hidden"}


def test_inverted_and_nan():
    def answer(query, key, value, mask):
        scores = scaled(query, key)
        scores[np.broadcast_to(mask, scores.shape)] = -math.inf
        return soft(scores) @ value

    assert_found(NAME, "mask-inverted", answer)


def test_unscaled_and_nan():
    def answer(query, key, value, mask):
        scores = np.where(mask, query @ np.swapaxes(key, -1, -2), -np.inf)
        return soft(scores) @ value

    assert_found(NAME, {"missing-scale", "nan-for-masked-row"}, answer)


def test_unscaled_and_inverted():
    def answer(query, key, value, mask):
        scores = np.einsum("...qd,...kd->...qk", query, key)
        return soft(np.where(mask, -1e30, scores)) @ value

    assert_found(NAME, {"missing-scale", "mask-inverted"}, answer)


# causal_mask


def causal_by_loops(n):
    return [[j <= i for j in range(n)] for i in range(n)]


def causal_by_filling(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        mask[i, : i + 1] = True
    return mask


@pytest.mark.parametrize(
    "answer",
    [
        causal_mask,
        causal_by_loops,
        causal_by_filling,
        lambda n: np.tril(np.ones((n, n), dtype=bool)),
        lambda n: ~np.triu(np.ones((n, n), dtype=bool), k=1),
        lambda n: np.arange(n)[:, None] >= np.arange(n),
        lambda n: np.tri(n) == 1,
    ],
)
def test_causal_right(answer):
    assert_passes("causal_mask", answer)


CAUSAL_WRONG = {
    "looks-ahead": [
        lambda n: np.tril(np.ones((n, n), dtype=bool), k=1),
        lambda n: [[j <= i + 1 for j in range(n)] for i in range(n)],
    ],
    "nothing-hidden": [lambda n: np.ones((n, n), dtype=bool)],
    "everything-hidden": [lambda n: np.zeros((n, n), dtype=bool)],
    "rows-columns-swapped": [
        lambda n: np.triu(np.ones((n, n), dtype=bool)),
        lambda n: np.arange(n)[:, None] <= np.arange(n),
    ],
    "rows-all-alike": [lambda n: [[j < n - 1 for j in range(n)]] * n],
    "hides-itself": [
        lambda n: np.tril(np.ones((n, n), dtype=bool), k=-1),
        lambda n: [[j < i for j in range(n)] for i in range(n)],
        lambda n: np.arange(n) < np.arange(n)[:, None],
    ],
    "inverted": [
        lambda n: np.triu(np.ones((n, n), dtype=bool), k=1),
        lambda n: [[j > i for j in range(n)] for i in range(n)],
        lambda n: ~np.tri(n, dtype=bool),
    ],
    "hides-the-past": [lambda n: np.eye(n, dtype=bool)],
    "wrong-dtype": [
        lambda n: np.tril(np.ones((n, n))),
        lambda n: np.tri(n, dtype=int).tolist(),
        lambda n: np.where(np.tri(n), 0.0, -np.inf),
    ],
    "wrong-shape": [lambda n: np.tri(n, dtype=bool)[None], lambda n: np.ones(n) > 0],
}
CAUSAL = [
    (code, answer) for code, answers in CAUSAL_WRONG.items() for answer in answers
]


@pytest.mark.parametrize(("code", "answer"), CAUSAL)
def test_causal_wrong(code, answer):
    assert_found("causal_mask", code, answer)


def test_wrong_in_dtype_and_in_sense():
    def answer(n):
        return np.triu(np.ones((n, n)), k=1)

    assert_found("causal_mask", {"inverted", "wrong-dtype"}, answer)


def test_additive_and_ahead():
    def answer(n):
        return np.where(np.tri(n, k=1), 0.0, -np.inf)

    assert_found("causal_mask", {"looks-ahead", "wrong-dtype"}, answer)


def test_a_window_with_its_rows_and_columns_exchanged():
    def answer(n_queries, n_keys, left, offset):
        row, column = np.arange(n_keys)[:, None] + offset, np.arange(n_queries)
        return ((column <= row) & (column >= row - left)).T

    assert_found("window_mask", "rows-columns-swapped", answer)
