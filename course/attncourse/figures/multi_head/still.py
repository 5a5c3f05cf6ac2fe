"""Still pictures of lesson 6: multi-head attention."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import VALUE, WEIGHTS, panels


def told(now, animals, parts):
    """Draw the weights of "ate", and below them what it is told of each animal."""
    figure, (weights, rows) = panels(2, 1, size=(3.6, 3.8))
    look = {"most": 1.0, "text": "{:.2f}"}
    grid(weights, now.weights, rows=now.who, columns=now.words, color=WEIGHTS, **look)
    wanted = [tuple(cell) for cell in np.argwhere(now.wanted)]
    grid(rows, now.told, rows=parts, columns=animals, lit=wanted, color=VALUE, **look)
    return figure
