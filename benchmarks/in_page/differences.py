"""The page's model beside attnlib: how far numbers differ, what the lesson finds."""

import numpy as np
from in_node import run_jobs
from lesson_pairs import (
    FRESH,
    OURS,
    STORED,
    both_texts,
    effects,
    read_pairs,
    run_changed,
)
from test_page_model import sentences

EVERY = 4  # of the test's sentences, so that all takes less than three minutes


def compare(run, models):
    """Compare weights with those of attnlib's models on many sentences.

    Parameters
    ----------
    run : function
        From jobs to results of the page's model.
    models : sequence of MiniLM

    Returns
    -------
    n_sentences : int
    table : list of tuple
        For each model: how far a weight differs at most and on average, and the share
        of rows whose largest weight is that of the same token.
    """
    texts = sentences(models[0])[::EVERY]
    found = [one["weights"] for one in run([{"text": text} for text in texts])]
    return len(texts), [_differences(found, texts, model) for model in models]


def _differences(found, texts, model):
    gaps, same = [], []
    for got, text in zip(found, texts, strict=True):
        expected = model(text).weights
        gaps.append(np.abs(got - expected).ravel())
        same.append((got.argmax(axis=-1) == expected.argmax(axis=-1)).ravel())
    gaps, same = np.concatenate(gaps), np.concatenate(same)
    return gaps.max(), gaps.mean(), same.mean()


def lesson(run, model):
    """Give lesson 12's effects, by name: from the page's model, and as stored."""
    texts = [text for text, _ in both_texts(FRESH)]
    found = dict(zip(texts, run([{"text": text} for text in texts]), strict=True))
    fresh = read_pairs(found, model, FRESH)
    pairs = {"fresh pairs": (effects(fresh), STORED["as it is"][FRESH])}
    under = run_changed(run, fresh)
    return pairs | {name: (got, STORED[name][OURS]) for name, got in under.items()}


def runner(folder, out):
    """Return the function from jobs to results that both of the above take."""
    return lambda jobs: run_jobs(folder, out, jobs)
