"""The loss of the best possible model on the stories: exactly, and on given texts.

Where the next word's probabilities are known, nobody can expect a mean of −log p below
their entropy.
"""

import math
from functools import cache

import numpy as np

from .stories import (
    ANIMALS,
    ENDS,
    FOODS,
    OF_ANIMALS,
    OF_FOODS,
    REST,
    SIZES,
    VERBS,
    WORDS,
    next_words,
)


def floor_of_a_story():
    """Return the exact entropy of a story in nats, and its mean number of words.

    Their ratio is the floor of a word in a text that never ends.
    """
    return sum(chance * np.array([sum(nats), len(nats)]) for chance, nats in _stories())


@cache
def floor_of_texts(n_tokens):
    """Return the exact mean of −log p per word, of texts cut after n_tokens words.

    A text begins with a story, and its first word, always "a", is not counted. The
    last words of a story are nearly certain; a text that stops in the middle of one
    goes without them, and so costs more a word than one that never ends.
    """
    costs = [0.0]  # of a text's first n words
    for n in range(1, n_tokens + 1):
        costs.append(
            sum(
                chance * (sum(nats[:n]) + costs[max(n - len(nats), 0)])
                for chance, nats in _stories()
            )
        )
    return costs[n_tokens] / (n_tokens - 1)


@cache
def _stories():
    """List every kind of story: its probability, and −log p of each of its words.

    Every story that can be is followed to its end, once for each kind of word: all
    words of a kind have the same probability and lead to as many words.
    """
    return tuple(_ahead(("a",), 1.0, (0.0,)))


def _ahead(story, chance, nats):
    if "then" in story and story[-1] == ".":
        yield chance, nats
        return
    for word, (p, times) in _kinds(next_words(story)).items():
        more = (*nats, -math.log(p))
        yield from _ahead((*story, word), chance * times * p, more)


def _kinds(words):
    """Keep one word of each kind, with its probability and how many there are."""
    kept = {}
    for group in (SIZES, ANIMALS, VERBS, FOODS, OF_ANIMALS, OF_FOODS, ENDS, REST):
        found = [word for word in group if word in words]
        if group is REST:
            kept |= {word: (words[word], 1) for word in found}
        elif found:
            kept[found[0]] = words[found[0]], len(found)
    return kept


def text_losses(texts):
    """Return −log p of every word after the first, by those who know the rules.

    Parameters
    ----------
    texts : array of int, (n_texts, n_tokens)

    Returns
    -------
    array, (n_texts, n_tokens − 1)
    """
    rows = [[WORDS[i] for i in row] for row in texts]
    return np.array(
        [
            [-math.log(next_words(row[:i])[row[i]]) for i in range(1, len(row))]
            for row in rows
        ]
    )
