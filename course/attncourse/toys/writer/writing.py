"""Sampling of texts: with given numbers in place of chance, and what it costs."""

import numpy as np

from attnlib import KVCache, token_probabilities

from .model import D_FF, D_MODEL, N_LAYERS
from .stories import IDS, WORDS


def read(text):
    """Turn words into their ids.

    Raises
    ------
    ValueError
        If there is none, or one is not among `WORDS`: names it.
    """
    words = text.lower().replace(".", " . ").split()
    rule = f"text must be made of the {len(WORDS)} words it knows"
    if not words:
        raise ValueError(f"read: {rule}, got none")
    for word in words:
        if word not in IDS:
            raise ValueError(f"read: {rule}, got {word!r}")
    return [IDS[word] for word in words]


def continue_text(decoder, ids, numbers, temperature=1.0, top_k=None, top_p=None):
    """Append a word for each number, as `attnlib.generate` does for random ones.

    Parameters
    ----------
    decoder : attnlib.Decoder
    ids : list of int
    numbers : sequence of float
        From 0 to 1. The first word whose cumulative probability exceeds it is chosen.
    temperature, top_k, top_p
        As in `attnlib.generate`.

    Returns
    -------
    ids : list of int
    probabilities : array, (vocab_size,)
        What the next word would be drawn from.
    """
    ids, caches = list(ids), [KVCache() for _ in decoder.layers]

    def ask(new):
        logits = decoder(new, caches=caches)[-1]
        return token_probabilities(logits, temperature, top_k, top_p)

    probabilities = ask(ids)
    for number in numbers:
        cumulative = np.cumsum(probabilities)
        ids.append(int(np.argmax(cumulative > number * cumulative[-1])))
        probabilities = ask(ids[-1:])
    return ids, probabilities


def multiplications(n_new, n_keys):
    """Count the multiplications in the matrix products of one call of the writer.

    Parameters
    ----------
    n_new : int
        For how many words rows are computed: 1 with a cache, all without.
    n_keys : int
        How many words there are by then.
    """
    per_layer = 4 * D_MODEL**2 + 2 * D_MODEL * D_FF + 2 * n_keys * D_MODEL
    return n_new * (N_LAYERS * per_layer + D_MODEL * len(WORDS))
