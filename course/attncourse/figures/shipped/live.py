"""Live figure: a mask, a window, a cap, a scale, an axis, as meant and as shipped."""

from types import SimpleNamespace

import numpy as np
import traitlets

from attnlib import causal_mask, sliding_window_mask, softmax

from ..kit.checks import check_whole
from ..kit.panel import Panel, View, chips, choice, numbers, slider
from . import still

PIECES = ("causal mask", "window of 3", "cap of 50", "scale", "softmax")
SIZES = (0, 1, 3, 10, 30, 100, 300)
MOST, WINDOW, CAP, D_K = 8, 3, 50.0, 64
# The first is below 0: a query whose only key is unwelcome.
TABLE = np.random.default_rng(4).standard_normal((MOST, MOST)).round(1)
TABLE[0, 0] = -0.9


class ShippedView(View, beside=__file__):
    """The table of scores, and how much of it there is; the page attends twice."""

    table = traitlets.List().tag(sync=True)
    sizes = traitlets.List().tag(sync=True)
    constants = traitlets.Dict().tag(sync=True)
    piece = traitlets.Int().tag(sync=True)
    n_queries = traitlets.Int().tag(sync=True)
    n_keys = traitlets.Int().tag(sync=True)
    size = traitlets.Int().tag(sync=True)


def panel(piece="causal mask", n_queries=5, n_keys=5, size=1):
    """Return the live figure of lesson 17.

    Parameters
    ----------
    piece : str
        Which part of attention is looked at, one of `PIECES`.
    n_queries, n_keys : int
        How many there are, from 1 to 8.
    size : int
        How large the scores are, one of `SIZES`.

    Returns
    -------
    Panel
        ``compute()`` gives the weights ``meant`` and ``shipped``, each of shape
        (n_queries, n_keys), and ``most``, the largest difference between them.

    Raises
    ------
    ValueError
        If there is no such piece or size, or a number is out of range.
    """
    check_whole("shipped", "n_queries", n_queries, 1, MOST)
    check_whole("shipped", "n_keys", n_keys, 1, MOST)
    for name, value, known in (("piece", piece, PIECES), ("size", size, SIZES)):
        if value not in known:
            rule = f"{name} must be one of {known}"
            raise ValueError(f"shipped: {rule}, got {value!r}")
    view = ShippedView(
        table=numbers(TABLE),
        sizes=list(SIZES),
        constants={"window": WINDOW, "cap": CAP, "root": float(np.sqrt(D_K))},
    )
    controls = {
        "piece": chips("Look at the", PIECES, piece),
        "n_queries": slider("Queries", n_queries, 1, MOST, 1),
        "n_keys": slider("Keys", n_keys, 1, MOST, 1),
        "size": choice("Size of the scores", SIZES, size),
    }
    now = _compute(piece, n_queries, n_keys, size)
    return Panel(
        view,
        controls,
        still=lambda: still.side_by_side(now, piece, size),
        compute=_compute,
    )


def _compute(piece, n_queries, n_keys, size):
    scores = size * TABLE[:n_queries, :n_keys]
    meant, shipped = WAYS[PIECES.index(piece)](scores)
    most = float(np.abs(meant - shipped).max())
    return SimpleNamespace(meant=meant, shipped=shipped, most=most)


def _corner(scores):
    starts = causal_mask(*scores.shape)
    ends = causal_mask(*scores.shape[::-1])[::-1, ::-1].T
    return _masked(scores, ends), _masked(scores, starts)


def _window(scores):
    return tuple(
        _masked(scores, sliding_window_mask(*scores.shape, window=(left, 0)))
        for left in (WINDOW - 1, WINDOW)
    )


def _cap(scores):
    allowed = causal_mask(*scores.shape)
    meant = _masked(CAP * np.tanh(scores / CAP), allowed)
    shipped = CAP * np.tanh(np.where(allowed, scores, -np.inf) / CAP)
    return meant, softmax(shipped)


def _scale(scores):
    return softmax(scores), softmax(scores / np.sqrt(D_K))


def _axis(scores):
    return softmax(scores), softmax(scores, axis=-2)


def _masked(scores, allowed):
    return softmax(np.where(allowed, scores, -np.inf))


WAYS = (_corner, _window, _cap, _scale, _axis)
