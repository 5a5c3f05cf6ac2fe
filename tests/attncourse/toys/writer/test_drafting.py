"""Drafts that a large model checks change no probability."""

import numpy as np
import pytest

from attncourse.toys.writer.drafting import draw, words_a_step

N_WORDS, N_TEXTS = 3, 40_000


def chances(rng, *shape):
    numbers = rng.random((*shape, N_WORDS)) ** 3
    return numbers / numbers.sum(axis=-1, keepdims=True)


def written(large, draft, n_drafts, rng):
    """Write a step behind the words 0 and 1; return the texts and their new words."""
    texts = np.zeros((N_TEXTS, 8), dtype=int)
    texts[:, 1] = 1
    seen = []

    def model(ids):
        seen.append(ids)
        return large[ids]  # what comes next depends on the last word alone

    ends = np.full(N_TEXTS, 2)
    n_new = words_a_step(model, texts, ends, draft, n_drafts, 1, rng)
    assert not texts[:, 2:].any()  # the caller's own are left as they were
    return seen[0], n_new


@pytest.mark.parametrize("n_drafts", [0, 1, 3])
def test_what_comes_out_has_the_large_models_probabilities(rng, n_drafts):
    large, draft = chances(rng, N_WORDS), chances(rng, N_WORDS, N_WORDS)
    texts, n_new = written(large, draft, n_drafts, rng)
    first = np.bincount(texts[:, 2], minlength=N_WORDS) / N_TEXTS
    np.testing.assert_allclose(first, large[1], atol=0.015)  # six standard errors
    assert 1 <= n_new.min() <= n_new.max() <= n_drafts + 1
    for word in range(N_WORDS):
        after = texts[(n_new > 1) & (texts[:, 2] == word), 3]
        if len(after) > 2000:
            shares = np.bincount(after, minlength=N_WORDS) / len(after)
            np.testing.assert_allclose(shares, large[word], atol=3 / len(after) ** 0.5)


def test_a_draft_as_good_as_the_model_is_kept_whole(rng):
    large = chances(rng, N_WORDS)
    draft = np.broadcast_to(large, (N_WORDS, N_WORDS, N_WORDS))
    assert (written(large, draft, 3, rng)[1] == 4).all()


def test_of_a_draft_that_says_other_words_nothing_is_kept(rng):
    large = np.tile([0.5, 0.5, 0.0], (N_WORDS, 1))
    draft = np.tile([0.0, 0.0, 1.0], (N_WORDS, N_WORDS, 1))
    texts, n_new = written(large, draft, 2, rng)
    assert (n_new == 1).all()
    assert (texts[:, 2] < 2).all()


def test_words_are_drawn_as_often_as_they_are_likely(rng):
    found = draw(np.tile([1.0, 0.0, 3.0], (N_TEXTS, 1)), rng)
    shares = np.bincount(found, minlength=3) / N_TEXTS
    np.testing.assert_allclose(shares, [0.25, 0, 0.75], atol=0.015)
