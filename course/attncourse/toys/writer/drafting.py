"""A cheap model drafts words, and the large one checks them all in one step.

References
----------
Leviathan, Kalman, Matias (2022), Fast Inference from Transformers via Speculative
Decoding, algorithm 1.
"""

import numpy as np


def draw(chances, rng):
    """Draw a word from each row of chances, (n_texts, n_words), whatever its sum."""
    upto = chances.cumsum(axis=-1)
    return (upto > rng.random((len(chances), 1)) * upto[:, -1:]).argmax(axis=-1)


def propose(ids, ends, draft, n_drafts, rng):
    """Write drafts behind each text's end, in place, one after another.

    Parameters
    ----------
    ids : array of int, (n_texts, n_tokens)
    ends : array of int, (n_texts,)
        How many tokens of each text are written: two at least.
    draft : array, (n_words, n_words, n_words)
        The draft's chance of every word after any two.
    n_drafts : int
    rng : numpy.random.Generator

    Returns
    -------
    list of array, (n_texts, n_words)
        The chances that each draft was drawn from.
    """
    rows, chances = np.arange(len(ids)), []
    for at in ends + np.arange(n_drafts)[:, None]:
        chances.append(draft[ids[rows, at - 2], ids[rows, at - 1]])
        ids[rows, at] = draw(chances[-1], rng)
    return chances


def settle(ids, ends, chances, large, rng):
    """Keep drafts, in place, up to the first that is refused; return the new ends.

    Parameters
    ----------
    ids, ends, chances
        As `propose` took and gave them.
    large : array, (n_texts, n_tokens, n_words)
        The large model's chance of each word, after each token.
    rng : numpy.random.Generator
    """
    rows, going, first = np.arange(len(ids)), np.ones(len(ids), dtype=bool), ends
    for k in range(len(chances) + 1):  # the last place has no draft: q is 0
        at = first + k
        p, word = large[rows, at - 1], ids[rows, at]
        q = chances[k] if k < len(chances) else np.zeros_like(p)
        kept = going & (rng.random(len(ids)) * q[rows, word] < p[rows, word])
        kept &= k < len(chances)
        rest = np.where(kept[:, None], p, np.maximum(p - q, 0))
        ids[rows, at] = np.where(going & ~kept, draw(rest, rng), word)
        ends, going = np.where(going & ~kept, at + 1, ends), kept
    return ends


def words_a_step(model, ids, ends, draft, n_drafts, n_steps, rng):
    """Write on, and return how many words a step gave in each text: (n_texts,)."""
    ids, first = ids.copy(), ends
    for _ in range(n_steps):
        chances = propose(ids, ends, draft, n_drafts, rng)
        ends = settle(ids, ends, chances, model(ids), rng)
    return (ends - first) / n_steps
