"""The still picture of stretched rotations: a dial for each pair."""

import numpy as np
from matplotlib.patches import Circle, Wedge

from ..kit.picture import KEY, MUTED, QUERY, panels

ACROSS = 8


def dials(now, arcs):
    """Draw where each pair stands, and where training had it.

    Parameters
    ----------
    now : attncourse.figures.stretch.live.Turned
    arcs : array, (n_pairs,)
        In turns, how far training had each pair go.
    """
    figure, axis = panels(size=(6.4, 2.2), phone=1.5)
    for i, (arc, turn, near, new) in enumerate(
        zip(arcs, now.turns, now.near, now.new, strict=True)
    ):
        x, y = 2.4 * (i % ACROSS), -3.2 * (i // ACROSS)
        color = KEY if new else QUERY
        axis.add_patch(Wedge((x, y), 1, 90 - 360 * arc, 90, color=MUTED, alpha=0.3))
        axis.add_patch(
            Circle((x, y), 1, fill=False, color=color, lw=1.6 if new else 0.6)
        )
        for angle, look in ((near, (MUTED, 1)), (turn, (color, 2))):
            tip = np.sin(2 * np.pi * angle), np.cos(2 * np.pi * angle)
            axis.plot([x, x + tip[0]], [y, y + tip[1]], color=look[0], lw=look[1])
        axis.text(x, y - 1.2, i, ha="center", va="top", fontsize=9)
    axis.set(aspect="equal", xticks=[], yticks=[])
    axis.set(xlim=(-1.2, 2.4 * ACROSS - 1.2), ylim=(-5.2, 1.2))
    axis.spines[:].set_visible(False)
    return figure
