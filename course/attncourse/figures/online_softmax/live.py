"""Lesson 13's live figure: softmax in one pass, one key after the other."""

from types import SimpleNamespace

import numpy as np
import traitlets

from attnlib import softmax

from ..kit.checks import check_whole
from ..kit.panel import Panel, View, slider
from . import still

# The score of key 6 is the reader's to choose: its place holds 0 here.
SCORES = np.array([2, 1, 3, 0, 2, 0, 1, 2])
VALUES = np.array([[1, 0], [0, 1], [2, 1], [1, 3], [3, 0], [8, 4], [0, 2], [1, 1]])
N_KEYS, LATE = len(SCORES), 5
LOWEST, HIGHEST = -2, 10


class OnlineSoftmaxView(View, beside=__file__):
    """Scores and values; the page reads them in one pass."""

    scores = traitlets.List(traitlets.Int()).tag(sync=True)
    values = traitlets.List().tag(sync=True)
    place = traitlets.Int().tag(sync=True)
    range = traitlets.List(traitlets.Int()).tag(sync=True)
    read = traitlets.Int().tag(sync=True)
    late = traitlets.Int().tag(sync=True)


def panel(read=5, late=8):
    """Return the live figure of lesson 13.

    Parameters
    ----------
    read : int
        Keys read so far, from 1 to 8.
    late : int
        The score of key 6, from -2 to 10.

    Returns
    -------
    Panel
        ``compute()`` gives, of the keys read, the ``scores`` and ``values``, their
        ``largest`` score, the ``factor`` that the last key brought, the ``total`` of
        the exponentials, the softmax ``weights`` and the ``output``: each computed in
        one go from all of them.

    Raises
    ------
    ValueError
        If a number is outside its range.
    """
    read = check_whole("online_softmax", "read", read, 1, N_KEYS)
    late = check_whole("online_softmax", "late", late, LOWEST, HIGHEST)
    view = OnlineSoftmaxView(
        scores=SCORES.tolist(),
        values=VALUES.tolist(),
        place=LATE,
        range=[LOWEST, HIGHEST],
        read=read,
        late=late,
    )
    controls = {
        "read": slider("Keys read", read, 1, N_KEYS, 1),
        "late": slider("Score of key 6", late, LOWEST, HIGHEST, 1),
    }
    return Panel(
        view,
        controls,
        still=lambda: still.keys_read(_scores(late), _compute(read, late)),
        compute=_compute,
    )


def _scores(late):
    scores = SCORES.astype(float)
    scores[LATE] = late
    return scores


def _compute(read, late):
    scores, values = _scores(late)[:read], VALUES[:read]
    before = scores[:-1].max(initial=-np.inf)
    largest, weights = scores.max(), softmax(scores)
    return SimpleNamespace(
        scores=scores,
        values=values,
        largest=largest,
        factor=np.exp(before - largest),
        total=np.exp(scores - largest).sum(),
        weights=weights,
        output=weights @ values,
    )
