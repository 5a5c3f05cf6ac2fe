"""The story in French: a decoder that has read it, and writes.

It has written "Un chien a mangé la nourriture parce qu'…", of which three words are
kept, as five are kept of the English sentence. Each asks the English rows for the word
that it needs to go on: "chien" for what happens, "mangé" for something edible, and
"nourriture" for a pronoun. What it brings home becomes the gender of the next word: "le
chien" is masculine, "la nourriture" feminine.
"""

import numpy as np

from . import words
from .layers import two_layers

WORDS = ("chien", "mangé", "nourriture")
COLUMNS = ("subject", "verb", "object", "pronoun", "masc.", "fem.")
MASCULINE, FEMININE = 4, 5
ASKS = ("happens", "edible", "pronoun")


def embed():
    """Return the rows of the words that are written: (3, 6).

    Examples
    --------
    >>> embed()[2]
    array([0., 0., 1., 0., 0., 0.])
    """
    return np.eye(len(COLUMNS))[: len(WORDS)]


def read(adjective):
    """Return the rows of the English words after lesson 8's two layers: (5, 6).

    Examples
    --------
    >>> read("hungry")[3]
    array([1., 0., 0., 1., 1., 0.])
    >>> read("delicious")[3]
    array([0., 1., 0., 1., 0., 1.])
    """
    passed = two_layers(words.embed(words.sentence(adjective)))
    return passed.rows["network 2"].round(9) + 0.0


def asking():
    """Return W^Q, W^K, W^V and W^O of cross-attention: (6, 3) twice, (6, 2), (2, 6).

    The rows of W^Q and the columns of W^O are those of French words; the rows of W^K
    and W^V are those of English ones.

    Examples
    --------
    >>> w_query, w_key, w_value, w_output = asking()
    >>> embed()[2] @ w_query
    array([0., 0., 6.])
    >>> w_output
    array([[0., 0., 0., 0., 1., 0.],
           [0., 0., 0., 0., 0., 1.]])
    """
    w_query, w_key, w_value = np.zeros((6, 3)), np.zeros((6, 3)), np.zeros((6, 2))
    w_query[:3] = 6 * np.eye(3)
    w_key[[words.HAPPENS, words.EDIBLE, words.PRONOUN], [0, 1, 2]] = 1
    w_value[[words.ALIVE, words.EDIBLE], [0, 1]] = 1
    w_output = np.zeros((2, 6))
    w_output[[0, 1], [MASCULINE, FEMININE]] = 1
    return w_query, w_key, w_value, w_output
