"""Attention by blocks of keys: what it holds is measured, how blocks join is named."""

import numpy as np
import pytest

from attncourse.practice import EXERCISES, check
from tests.attncourse.practice.answers.longer_texts import root

NAME = "one_pass_attention"


def two_passes(query, key, value):
    """Blocks of scores, all kept until the maximum is known."""
    starts = range(0, key.shape[-2], 8)
    parts = [query @ key[..., i : i + 8, :].mT / root(query) for i in starts]
    largest = np.max([part.max(-1) for part in parts], axis=0)[..., None]
    powers = [np.exp(part - largest) for part in parts]
    total = sum(part.sum(-1, keepdims=True) for part in powers)
    blocks = zip(starts, powers, strict=True)
    return sum(part @ value[..., i : i + 8, :] for i, part in blocks) / total


def in_place(query, key, value):
    """One table of scores, and no other array of its size."""
    scores = query @ key.mT
    scores /= root(query)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    return scores @ value / scores.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("answer", [two_passes, in_place])
def test_all_scores_at_once_are_noticed(answer):
    for seed in (0, 1):
        (finding,) = check(NAME, answer, seed=seed).findings
        assert finding.code == "all-scores-held"
        assert "a table of all 32 × 2048 scores takes 524 kB" in finding.message


def test_the_same_numbers_pass_where_nothing_is_measured():
    assert check("attention", in_place, seed=0).passed


def test_rows_of_large_scores_lie_so_far_apart_that_one_maximum_does_not_do():
    for seed in range(20):
        cases = EXERCISES["attention"].draw(np.random.default_rng(seed))
        large = next(case for case in cases if case.is_large)
        query, key, _ = large.inputs.values()
        rows = (query @ key.mT / root(query)).max(axis=-1)
        with np.errstate(under="ignore"):
            assert np.exp(rows.min() - rows.max()) == 0
