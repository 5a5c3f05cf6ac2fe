"""Verdicts of masked_attention, beside its answers."""

import numpy as np
import pytest

from tests.attncourse.practice.answers.masks import scaled
from tests.attncourse.practice.judging import assert_passes, codes

NAME = "masked_attention"


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


def no_largest(query, key, value, mask):
    """Right on ordinary numbers; on large ones, rows are lost or come out as zeros."""
    powers = np.exp(np.where(mask, scaled(query, key), -np.inf))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ value


def test_the_largest_forgotten_is_all_that_is_said():
    assert codes(NAME, no_largest) == [{"overflow"}, {"overflow"}]
