"""The story in two layers: attention, then a network that tidies each word up.

Lesson 6's two heads, one to a layer: `gather` in the first, `find` in the second. The
network is set by hand, as all of `attncourse.story`: a number below 0.4 becomes 0, a
number above 0.6 becomes 1, and what lies between is stretched from 0 to 1.
"""

from typing import Any, NamedTuple

import numpy as np

from attnlib import SelfAttention, feed_forward

from . import matrices, words

D_MODEL = len(words.COLUMNS)
STEPS = ("words", "attention 1", "network 1", "attention 2", "network 2")


class Passed(NamedTuple):
    """What becomes of the words on their way through both layers.

    Parameters
    ----------
    rows : dict of str to array, (n_tokens, 6)
        The rows of the words after each of the `STEPS`.
    weights : tuple of two arrays, (n_tokens, n_tokens)
        Who looked at whom, in either layer.
    """

    rows: dict[str, Any]
    weights: tuple[Any, Any]


def layers():
    """Return W^Q, W^K, W^V (6, 2) and W^O (2, 6) of layer 1 and of layer 2.

    Examples
    --------
    >>> (*_, w_output), _ = layers()
    >>> w_output
    array([[0., 0., 0., 0., 1., 0.],
           [0., 0., 0., 0., 0., 1.]])
    """
    heads, w_output = matrices.heads(), matrices.w_output()
    return (*heads["gather"], w_output[2:]), (*heads["find"], w_output[:2])


def tidy(d_model=D_MODEL):
    """Return the weights of the network that makes numbers 0 or 1.

    What it returns is to be added to the row: it takes the old number away and gives
    the new one. For numbers from 0 on.

    Returns
    -------
    w_1, b_1, w_2, b_2 : array, (d, 3d), (3d,), (3d, d) and (d,), where d is d_model

    Examples
    --------
    >>> row = np.array([[0, 0.01, 0.2, 0.5, 0.95, 1.2]])
    >>> (row + feed_forward(row, *tidy())).round(2)
    array([[0. , 0. , 0. , 0.5, 1. , 1. ]])
    """
    eye = np.eye(d_model)
    w_1, b_1 = np.hstack([eye, eye, eye]), np.repeat([0, -0.4, -0.6], len(eye))
    w_2, b_2 = np.vstack([-eye, 5 * eye, -5 * eye]), np.zeros(len(eye))
    return w_1, b_1, w_2, b_2


def two_layers(x, mask=None, weights=None):
    """Let the words pass both layers: x + attention, then + network, twice.

    Parameters
    ----------
    x : array, (n_tokens, 6)
    mask : array, broadcasting to (n_tokens, n_tokens), optional
        Who may look at whom, in both layers: True = may.
    weights : two tuples of W^Q, W^K, W^V, W^O, optional
        Others than those of `layers`.

    Returns
    -------
    Passed

    Examples
    --------
    >>> x = words.embed(words.sentence("delicious"))
    >>> two_layers(x).rows["network 2"][3].round(2)
    array([0., 1., 0., 1., 0., 1.])
    >>> two_layers(x).weights[1][3].round(2)
    array([0.01, 0.01, 0.95, 0.01, 0.01])
    """
    rows, looks = [x], []
    for *w_head, w_output in weights or layers():
        trace = SelfAttention(*w_head).trace(rows[-1], mask=mask)
        looks.append(trace.weights)
        rows.append(rows[-1] + trace.output @ w_output)
        rows.append(rows[-1] + feed_forward(rows[-1], *tidy(x.shape[-1])))
    return Passed(dict(zip(STEPS, rows, strict=True)), tuple(looks))
