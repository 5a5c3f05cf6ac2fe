"""Numbers of the figure of the page on writing, computed by attnlib."""

from types import SimpleNamespace

import numpy as np

from attncourse.toys.writer.heads import weights_of
from attncourse.toys.writer.model import D_MODEL, N_HEADS, N_LAYERS
from attncourse.toys.writer.stored import writer
from attncourse.toys.writer.stories import WORDS
from attncourse.toys.writer.writing import continue_text, multiplications, read

MOST_ADDED = 80
BYTES_PER_WORD = 2 * N_LAYERS * D_MODEL * 8  # a key and a value in each layer, float64


HEADS = [f"{i}.{j}" for i in range(N_LAYERS) for j in range(N_HEADS)]
SHOWN, ENDING = 8, 6  # of the next words; of the text's last words, when it is said


def written(beginning, added, temperature, top_k, top_p, attempt, back=0, head=0):
    """Let attnlib write what the figure shows; its controls are the arguments.

    Of the likeliest next words, ``own`` are the model's probabilities, and ``drawn``
    those that it is drawn from. ``looks`` says where the word that ``asks`` looks in
    each head, as ``weights`` (n_layers, n_heads, n_words) do with 0 for what comes
    later. Multiplications are for the next word: with the cache, and without.
    """
    decoder, numbers = writer(), random_numbers(attempt)[:added]
    choice = temperature, top_k, top_p
    ids, chances = continue_text(decoder, read(beginning), numbers, *choice)
    own = continue_text(decoder, ids, ())[1]
    words, n = [WORDS[i] for i in ids], len(ids)
    likely = np.argsort(-own, kind="stable")[:SHOWN]
    asking = max(n - 1 - back, 0)
    weights = weights_of(decoder, np.array(ids))[:, :, asking]
    looks = weights.reshape(len(HEADS), n)[:, : asking + 1]
    return SimpleNamespace(
        words=words,
        text=" ".join(words),
        ending=" ".join(words[-ENDING:]),
        n_words=n,
        probabilities=dict(zip(WORDS, chances.tolist(), strict=True)),
        next=[WORDS[i] for i in likely],
        own=own[likely],
        drawn=chances[likely],
        weights=weights,
        looks=looks,
        seen=[f"{j} {word}" for j, word in enumerate(words[: asking + 1], 1)],
        asks=words[asking],
        most=[words[j] for j in looks.argmax(axis=-1)],
        peak=looks.max(axis=-1),
        cache_bytes=n * BYTES_PER_WORD,
        multiplications=(multiplications(1, n), multiplications(n, n)),
    )


def chance(attempt):
    """Return the generator of what stands for chance in an attempt."""
    return np.random.default_rng(attempt)


def random_numbers(attempt):
    """Return the numbers that stand for chance in an attempt: (MOST_ADDED,)."""
    return chance(attempt).random(MOST_ADDED).round(6)
