"""The running example, which asks what "it" means.

    A dog ate the food because it was hungry.   (… because it was delicious.)

Six columns that can be read. The small words "a", "the", "because" and "was" are left
out: every number fits on paper.
"""

import numpy as np

COLUMNS = ("alive", "edible", "happens", "pronoun", "says alive", "says edible")
WORDS = {
    "dog": (1, 0, 0, 0, 0, 0),
    "ate": (0, 0, 1, 0, 0, 0),
    "food": (0, 1, 0, 0, 0, 0),
    "it": (0, 0, 0, 1, 0, 0),
    "hungry": (0, 0, 0, 0, 1, 0),
    "delicious": (0, 0, 0, 0, 0, 1),
}
ALIVE, EDIBLE, HAPPENS, PRONOUN, SAYS_ALIVE, SAYS_EDIBLE = range(6)
# Words of lesson 1 in the first two columns alone, so that they lie in a plane.
IN_THE_PLANE = {
    "dog": (1, 0),
    "cat": (1, -0.5),
    "fish": (2, 2),
    "food": (0, 1),
    "bread": (0, 1.5),
}


def plane_words():
    """Return the words of lesson 1: how alive and how edible each is, set by hand.

    Returns
    -------
    dict of str to array, (2,)

    Examples
    --------
    >>> plane_words()["fish"]
    array([2., 2.])
    """
    return {word: np.array(row, dtype=float) for word, row in IN_THE_PLANE.items()}


def sentence(adjective="hungry"):
    """Return the five words "dog ate food it hungry", or with another last word.

    Raises
    ------
    ValueError
        If the last word is neither "hungry" nor "delicious".

    Examples
    --------
    >>> sentence("delicious")
    ['dog', 'ate', 'food', 'it', 'delicious']
    """
    if adjective not in ("hungry", "delicious"):
        raise ValueError(
            f"sentence: adjective must be 'hungry' or 'delicious', got {adjective!r}"
        )
    return ["dog", "ate", "food", "it", adjective]


def embed(words):
    """Return the rows of some words: (n_tokens, 6).

    Raises
    ------
    ValueError
        If a word is not one of `WORDS`.

    Examples
    --------
    >>> embed(["dog", "hungry"])
    array([[1., 0., 0., 0., 0., 0.],
           [0., 0., 0., 0., 1., 0.]])
    """
    if missing := [word for word in words if word not in WORDS]:
        raise ValueError(f"embed: words must be among {list(WORDS)}, got {missing}")
    return np.array([WORDS[word] for word in words], dtype=float)


def random_sentences(n_sentences, rng):
    """Draw sentences of five words: a dog, some food, two others, and an adjective.

    Parameters
    ----------
    n_sentences : int
    rng : numpy.random.Generator

    Returns
    -------
    x : array, (n_sentences, 5, 6)
        The words in any order, the adjective last.
    described : array, (n_sentences, 2)
        What the adjective describes: (1, 0), something alive, or (0, 1), edible.

    Examples
    --------
    >>> x, described = random_sentences(7, np.random.default_rng(0))
    >>> x.shape, described.shape
    ((7, 5, 6), (7, 2))
    """
    adjectives = rng.choice(["hungry", "delicious"], n_sentences)
    others = rng.choice(["dog", "ate", "food", "it"], (n_sentences, 2))
    nouns = np.tile(["dog", "food"], (n_sentences, 1))
    words = rng.permuted(np.hstack([nouns, others]), axis=1)
    words = np.column_stack([words, adjectives])
    described = [adjectives == "hungry", adjectives == "delicious"]
    x = embed(words.ravel().tolist()).reshape(*words.shape, -1)
    return x, np.transpose(described).astype(float)
