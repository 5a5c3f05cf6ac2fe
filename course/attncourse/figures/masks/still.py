"""Still pictures of lesson 9: masks, and tables of weights."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import KEY, QUERY, VALUE, on_phone, panels


def leak(now, words):
    """Draw the weights under a mask beside the rows before and after a change.

    Parameters
    ----------
    now : SimpleNamespace
        ``weights``, ``before``, ``after`` and ``changed``, as the live figure has them.
    words : sequence of str
        The sentence after the change.
    """
    ratios = [len(words), 2, 2]
    figure, axes = panels(1, 3, size=(7.2, 3.0), phone=6.6, width_ratios=ratios)
    look = {"most": 1.0, "text": "{:.2f}", "size": 8}
    names = {"rows": words, "columns": words}
    grid(axes[0], now.weights, title="Weights", **names, **look)
    look |= {"columns": ("alive", "edible"), "color": VALUE}
    look |= {"rows": words if on_phone() else ()}  # they stand below, not beside
    lit = [(i, j) for i in np.flatnonzero(now.changed) for j in range(2)]
    grid(axes[1], now.before, title="Before", **look)
    grid(axes[2], now.after, title="and after", lit=lit, **look)
    axes[0].tick_params(axis="y", labelcolor=QUERY, labelsize=8)
    axes[0].tick_params(axis="x", labelcolor=KEY, labelsize=8)
    for axis in axes[1:]:
        axis.tick_params(labelsize=8)
    return figure
