"""A cheap model drafts words, and the large one checks them all in one step.

References
----------
Leviathan, Kalman, Matias (2022), Fast Inference from Transformers via Speculative
Decoding, algorithm 1.
"""

import numpy as np

from .stories import WORDS


def counted(texts, ahead=1):
    """Count which word stood so far behind two others: its chance, (w, w, w)."""
    found = np.full((len(WORDS),) * 3, 0.001)
    two = texts[:, : -ahead - 1], texts[:, 1:-ahead]
    np.add.at(found, (*two, texts[:, ahead + 1 :]), 1)
    return found / found.sum(axis=-1, keepdims=True)


def counted_behind_one(texts):
    """Count which word followed each: the chance of every word, (w, w)."""
    found = np.full((len(WORDS),) * 2, 0.001)
    np.add.at(found, (texts[:, :-1], texts[:, 1:]), 1)
    return found / found.sum(axis=1, keepdims=True)


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


def propose_block(ids, ends, tables, pairs, rng):
    """Write a draft from each table, in place; all see the two words before them alone.

    Parameters
    ----------
    ids, ends, rng
        As `propose` takes them.
    tables : sequence of array, (n_words, n_words, n_words)
        The chances of a word 1, 2, … behind two others.
    pairs : array, (n_words, n_words), optional
        Chances behind the draft before, by which those of each are multiplied.

    Returns
    -------
    list of array, (n_texts, n_words)
    """
    rows, chances = np.arange(len(ids)), []
    two = ids[rows, ends - 2], ids[rows, ends - 1]
    for k, table in enumerate(tables):
        before = 1 if pairs is None or not k else pairs[ids[rows, ends + k - 1]]
        found = table[two] * before
        chances.append(found / found.sum(axis=1, keepdims=True))
        ids[rows, ends + k] = draw(chances[-1], rng)
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


def words_a_step(model, ids, ends, propose, n_steps, rng):
    """Write on, and return how many words a step gave in each text: (n_texts,).

    Parameters
    ----------
    model : callable
        The large one: the chances of each word after each token of ids.
    ids, ends, rng
        As `propose` takes them; nothing is written in place.
    propose : callable
        Takes ids, ends and rng; writes drafts in place, and returns their chances.
    n_steps : int
    """
    ids, first = ids.copy(), ends
    for _ in range(n_steps):
        chances = propose(ids, ends, rng=rng)
        ends = settle(ids, ends, chances, model(ids), rng)
    return (ends - first) / n_steps
