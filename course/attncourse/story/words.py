"""The running example, which asks what "it" means.

    A dog ate the food because it was hungry.   (… because it was delicious.)

Six columns that can be read, and weights of 0, 1 and 6 that were set by hand. In one
step an adjective finds the noun that it describes (`find`). "It" has nothing to ask
with, and needs two: in the first it gathers what the adjective says (`gather`), and in
the second it finds the noun. The small words "a", "the", "because" and "was" are left
out: every number fits on paper.
"""

import numpy as np

from attnlib import MultiHeadAttention, SelfAttention

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


def find():
    """Return the step in which an adjective finds the noun that it describes.

    The query of a word that says "alive" looks for something alive; the key of a noun
    offers what it is; its value hands that over. d_model = 6, d_k = d_v = 2.

    Examples
    --------
    >>> words = sentence("hungry")
    >>> find().trace(embed(words), words).weights[-1].round(2)
    array([0.95, 0.01, 0.01, 0.01, 0.01])
    """
    w_query, w_key, w_value = np.zeros((3, 6, 2))
    w_query[[SAYS_ALIVE, SAYS_EDIBLE], [0, 1]] = 6
    w_key[[ALIVE, EDIBLE], [0, 1]] = 1
    w_value[[ALIVE, EDIBLE], [0, 1]] = 1
    return SelfAttention(w_query, w_key, w_value)


def gather():
    """Return the step in which "it" gathers what the adjective says about a thing.

    Examples
    --------
    >>> words = sentence("hungry")
    >>> gather().trace(embed(words), words).weights[3].round(2)
    array([0.01, 0.01, 0.01, 0.01, 0.95])
    """
    w_query, w_key, w_value = np.zeros((3, 6, 2))
    w_query[PRONOUN, 0] = 6
    w_key[[SAYS_ALIVE, SAYS_EDIBLE], [0, 0]] = 1
    w_value[[SAYS_ALIVE, SAYS_EDIBLE], [0, 1]] = 1
    return SelfAttention(w_query, w_key, w_value)


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


def write_back(*columns):
    """Return the matrix that adds two numbers to these columns of a word: (2, 6).

    Examples
    --------
    >>> write_back(SAYS_ALIVE, SAYS_EDIBLE)
    array([[0., 0., 0., 0., 1., 0.],
           [0., 0., 0., 0., 0., 1.]])
    """
    w_output = np.zeros((2, 6))
    w_output[[0, 1], list(columns)] = 1
    return w_output


def two_steps(x, *, mask=None):
    """Gather, then find: return the rows after each step and both tables of weights.

    Parameters
    ----------
    x : array, (n_tokens, 6)
    mask : array, broadcasting to (n_tokens, n_tokens), optional
        Who may look at whom, in both steps: True = may.

    Returns
    -------
    gathered, found : array, (n_tokens, 6)
        The rows of the words with what each step added to them.
    weights : tuple of two arrays, (n_tokens, n_tokens)

    Examples
    --------
    >>> words = sentence("delicious")
    >>> _, found, (_, weights) = two_steps(embed(words))
    >>> words[weights[3].argmax()], weights[3].max().round(2)
    ('food', np.float64(0.93))
    """
    first = gather().trace(x, mask=mask)
    gathered = x + first.output @ write_back(SAYS_ALIVE, SAYS_EDIBLE)
    second = find().trace(gathered, mask=mask)
    found = gathered + second.output @ write_back(ALIVE, EDIBLE)
    return gathered, found, (first.weights, second.weights)


def three_heads():
    """Return three heads side by side: find, gather, and "ate" looking for both nouns.

    d_model = 6, d_k = 2. What the first finds goes to the columns alive and edible,
    what the second gathers to "says alive" and "says edible". The third shows what one
    head cannot do: "ate" looks for who eats and what is eaten, and gets half of each.
    """
    w_query, w_key, w_value, w_output = np.zeros((4, 6, 6))
    for h, layer in enumerate((find(), gather(), _both())):
        columns = slice(2 * h, 2 * h + 2)
        w_query[:, columns], w_key[:, columns] = layer.w_query, layer.w_key
        w_value[:, columns] = layer.w_value
    w_output[0:2] = write_back(ALIVE, EDIBLE)
    w_output[2:4] = write_back(SAYS_ALIVE, SAYS_EDIBLE)
    w_output[4:6] = write_back(ALIVE, EDIBLE)
    return MultiHeadAttention(w_query, w_key, w_value, w_output, n_heads=3)


def _both():
    """Return the step in which "ate" looks for something alive and something edible."""
    layer = find()
    w_query = np.zeros((6, 2))
    w_query[HAPPENS] = 6
    return SelfAttention(w_query, layer.w_key, layer.w_value)
