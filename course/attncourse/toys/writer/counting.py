"""Models that count how often each word followed certain others."""

import numpy as np

from .stories import WORDS

START = len(WORDS)  # stands for a word before the beginning
EXTRA = 0.01  # what every count is raised by, so that none is 0


def counted_losses(n_before, texts, test):
    """Count what follows each run of words in texts; return −log p of those in test.

    Parameters
    ----------
    n_before : int
        How many words before it a word is told from, at most 9.
    texts, test : array of int, (n_texts, n_tokens) and (n_test, n_tokens)

    Returns
    -------
    losses : array, (n_test, n_tokens − 1)
    n_runs : int
        How many different runs of words were counted.
    """
    runs, asked = _runs(n_before, texts), _runs(n_before, test)
    known, places = np.unique(runs, return_inverse=True)
    places, targets = places.ravel(), texts[:, 1:].ravel()
    counts = np.full((len(known) + 1, len(WORDS)), EXTRA)  # the last: never seen
    np.add.at(counts, (places, targets), 1)
    found = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    found[known[found] != asked] = len(known)
    chances = counts / counts.sum(axis=-1, keepdims=True)
    return -np.log(chances[found, test[:, 1:]]), len(known)


def _runs(n_before, texts):
    """Write the words before each word but the first as one number."""
    if not 0 <= n_before <= 9:
        rule = "n_before must be from 0 to 9"
        raise ValueError(f"counted_losses: {rule}, got {n_before}")
    n_tokens = texts.shape[1]
    padded = np.pad(texts, ((0, 0), (n_before, 0)), constant_values=START)
    runs = np.zeros((len(texts), n_tokens - 1), np.int64)
    for back in range(n_before):
        runs = runs * (START + 1) + padded[:, back + 1 : back + n_tokens]
    return runs
