"""Lesson 7's second figure: two places on two clocks, moved together."""

from typing import Any, NamedTuple

import numpy as np
import traitlets

from attnlib import sinusoidal_positional_encoding

from ..kit.checks import check_whole
from ..kit.panel import Panel, View, slider
from . import still

D_MODEL, SHOWN, LAST, MOST = 8, 2, 50, 6


class ClocksView(View, beside=__file__):
    """Two places; the page draws the fastest hands of their encodings."""

    d_model = traitlets.Int().tag(sync=True)
    shown = traitlets.Int().tag(sync=True)
    last = traitlets.Int().tag(sync=True)
    most = traitlets.Int().tag(sync=True)
    position = traitlets.Int().tag(sync=True)
    step = traitlets.Int().tag(sync=True)


class Pair(NamedTuple):
    """Two places: their encodings, and the dot product of these."""

    encodings: Any
    dot: float


def panel(position=4, step=3):
    """Return the figure of two places on the clocks of their encodings.

    Parameters
    ----------
    position : int
        The first place, from 0 to 50.
    step : int
        How many words further on the second one stands, from 0 to 6.

    Returns
    -------
    Panel
        ``compute()`` gives the `Pair` of both: encodings (2, 8), and a dot product.

    Raises
    ------
    ValueError
        If a value is not one that its slider has.
    """
    check_whole("clocks", "position", position, 0, LAST)
    check_whole("clocks", "step", step, 0, MOST)
    controls = {
        "position": slider("Position", position, 0, LAST, 1),
        "step": slider("Step", step, 0, MOST, 1),
    }
    pair = _compute(position, step)
    return Panel(
        ClocksView(d_model=D_MODEL, shown=SHOWN, last=LAST, most=MOST),
        controls,
        still=lambda: still.dials(position, step, pair, SHOWN),
        compute=_compute,
        exact=tuple(controls),
    )


def _compute(position, step):
    table = sinusoidal_positional_encoding(position + step + 1, D_MODEL)
    encodings = table[[position, position + step]]
    return Pair(encodings, float(np.dot(*encodings)))
