"""What the figure of the page on writing shows, computed by attnlib."""

from typing import NamedTuple

import numpy as np

from attncourse.toys.writer.heads import weights_of
from attncourse.toys.writer.model import D_MODEL, N_LAYERS
from attncourse.toys.writer.stored import writer
from attncourse.toys.writer.stories import WORDS
from attncourse.toys.writer.writing import continue_text, multiplications, read

MOST_ADDED = 80
BYTES_PER_WORD = 2 * N_LAYERS * D_MODEL * 8  # a key and a value in each layer, float64


class Written(NamedTuple):
    """What the figure shows, from attnlib.

    Parameters
    ----------
    words : list of str
        The beginning and what was added.
    probabilities : dict of str to float
        What the next word would be drawn from.
    weights : array, (n_layers, n_heads, n_words)
        Where the word that looks looks, in each head; it is ``back`` words before the
        last one, and what comes after it has 0.
    cache_bytes : int
        Of all keys and values so far.
    multiplications : tuple of int
        For the next word: with the cache, and without.
    """

    words: list[str]
    probabilities: dict[str, float]
    weights: np.ndarray
    cache_bytes: int
    multiplications: tuple[int, int]


def written(beginning, added, temperature, top_k, top_p, attempt, back=0):
    """Let attnlib write what the figure shows; see `live.panel` for the parameters."""
    decoder, numbers = writer(), random_numbers(attempt)[:added]
    choice = temperature, top_k, top_p
    ids, chances = continue_text(decoder, read(beginning), numbers, *choice)
    asking = max(len(ids) - 1 - back, 0)
    return Written(
        [WORDS[i] for i in ids],
        dict(zip(WORDS, chances.tolist(), strict=True)),
        weights_of(decoder, np.array(ids))[:, :, asking],
        len(ids) * BYTES_PER_WORD,
        (multiplications(1, len(ids)), multiplications(len(ids), len(ids))),
    )


def random_numbers(attempt):
    """Return the numbers that stand for chance in an attempt: (MOST_ADDED,)."""
    return np.random.default_rng(attempt).random(MOST_ADDED).round(6)
