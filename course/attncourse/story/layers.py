"""The story in two layers: attention, then a network that tidies each word up.

The network is set by hand, as all of `attncourse.story`: a number below 0.4 becomes 0,
a number above 0.6 becomes 1, and what lies between is stretched from 0 to 1.
"""

import numpy as np

from attnlib import feed_forward

from . import words as story

STEPS = ("words", "attention 1", "network 1", "attention 2", "network 2")


def tidy():
    """Return the weights of the network that makes numbers 0 or 1: 6, 18, 6 columns.

    What it returns is to be added to the row: it takes the old number away and gives
    the new one. For numbers from 0 on.

    Examples
    --------
    >>> row = np.array([[0, 0.01, 0.2, 0.5, 0.95, 1.2]])
    >>> (row + feed_forward(row, *tidy())).round(2)
    array([[0. , 0. , 0. , 0.5, 1. , 1. ]])
    """
    eye = np.eye(len(story.COLUMNS))
    w_1, b_1 = np.hstack([eye, eye, eye]), np.repeat([0, -0.4, -0.6], len(eye))
    w_2, b_2 = np.vstack([-eye, 5 * eye, -5 * eye]), np.zeros(len(eye))
    return w_1, b_1, w_2, b_2


def two_layers(x):
    """Return the rows of the words at each of the five `STEPS`, by name.

    Parameters
    ----------
    x : array, (n_tokens, 6)

    Examples
    --------
    >>> steps = two_layers(story.embed(story.sentence("delicious")))
    >>> steps["network 2"][3].round(2)
    array([0., 1., 0., 1., 0., 1.])
    """
    rows = [x]
    moves = (
        (story.gather(), (story.SAYS_ALIVE, story.SAYS_EDIBLE)),
        (story.find(), (story.ALIVE, story.EDIBLE)),
    )
    for attention, columns in moves:
        rows.append(rows[-1] + attention(rows[-1]) @ story.write_back(*columns))
        rows.append(rows[-1] + feed_forward(rows[-1], *tidy()))
    return dict(zip(STEPS, rows, strict=True))
