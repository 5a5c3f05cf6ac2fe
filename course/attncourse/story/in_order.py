"""The story when order counts: "the dog ate the food" and "the food ate the dog".

Each word has the six columns of `attncourse.story` and four more, empty at first: room
for the two clock hands of its place. "Ate" asks for something alive and for something
edible, and every word asks, with its own hands turned back by one step, for the word
before it.
"""

import numpy as np

from attnlib import SelfAttention, sinusoidal_positional_encoding

from . import words as story

HANDS = ("fast sin", "fast cos", "slow sin", "slow cos")  # the last four columns
N_HANDS_COLUMNS = len(HANDS)
CLOCK = slice(6, 10)


def embed(words):
    """Return the rows of some words with four empty columns: (n_tokens, 10).

    Raises
    ------
    ValueError
        If a word is not one of `attncourse.story.WORDS`.

    Examples
    --------
    >>> embed(["dog", "ate"]).shape
    (2, 10)
    """
    rows = story.embed(words)
    return np.hstack([rows, np.zeros((len(words), N_HANDS_COLUMNS))])


def places(n_tokens, first=0):
    """Return what is added to the words: the clock hands of each place, (n_tokens, 10).

    Parameters
    ----------
    n_tokens : int
    first : int
        Where the first word stands.

    Examples
    --------
    >>> places(2)[:, CLOCK].round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.01, 1.  ]])
    """
    hands = sinusoidal_positional_encoding(first + n_tokens, N_HANDS_COLUMNS)[first:]
    return np.hstack([np.zeros((n_tokens, CLOCK.start)), hands])


def rotation(steps):
    """Return the matrix that turns the hands of any place by so many steps, (4, 4).

    Examples
    --------
    >>> here, before = places(8)[[7, 6], CLOCK]
    >>> bool(np.allclose(here @ rotation(-1), before))
    True
    """
    turn = np.zeros((N_HANDS_COLUMNS, N_HANDS_COLUMNS))
    for column, by in zip((0, 2), (steps, steps / 100), strict=True):
        block = [[np.cos(by), -np.sin(by)], [np.sin(by), np.cos(by)]]
        turn[column : column + 2, column : column + 2] = block
    return turn


def both_nouns():
    """Return the step in which "ate" asks for both nouns: d_model 6, d_k 2.

    Examples
    --------
    >>> words = ["food", "ate", "dog"]
    >>> both_nouns().trace(story.embed(words), words).weights[1].round(2)
    array([0.5 , 0.01, 0.5 ])
    """
    w_query, w_key, w_value = np.zeros((3, 6, 2))
    w_query[story.HAPPENS] = 6
    w_key[[story.ALIVE, story.EDIBLE], [0, 1]] = 1
    w_value[[story.ALIVE, story.EDIBLE], [0, 1]] = 1
    return SelfAttention(w_query, w_key, w_value)


def who_ate():
    """Return the step in which "ate" finds the noun before it: d_model 10, d_k 6.

    Examples
    --------
    >>> words = ["food", "ate", "dog"]
    >>> who_ate().trace(embed(words) + places(3), words).weights[1].round(2)
    array([0.94, 0.03, 0.03])
    """
    nouns = both_nouns()
    w_query, w_key, w_value = np.zeros((10, 6)), np.zeros((10, 6)), np.zeros((10, 2))
    w_query[: CLOCK.start, :2], w_key[: CLOCK.start, :2] = nouns.w_query, nouns.w_key
    w_query[CLOCK, 2:] = 6 * rotation(-1)
    w_key[CLOCK, 2:] = np.eye(N_HANDS_COLUMNS)
    w_value[: CLOCK.start] = nouns.w_value
    return SelfAttention(w_query, w_key, w_value)
