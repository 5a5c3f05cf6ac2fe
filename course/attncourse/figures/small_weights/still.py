"""The still picture of FP8: a row of weights, and below it what is kept."""

import numpy as np

from ..kit.picture import INK, KEY, MUTED, WEIGHTS, panels

LEAST, MOST, ZERO = -21, 11, -23


def strips(now):
    """Draw weights on a scale of powers of two, and where eight bits put them.

    Parameters
    ----------
    now : attncourse.figures.small_weights.live.Rounded
    """
    figure, axis = panels(size=(6.4, 2.2), phone=2.2)
    exact = np.maximum(np.log2(now.powers), LEAST)
    lost = now.kept == 0
    kept = np.where(lost, ZERO, np.log2(np.maximum(now.kept, 1e-9)))
    axis.axvspan(-9, np.log2(448), color=MUTED, alpha=0.15, lw=0)
    for x, y, gone in zip(exact, kept, lost, strict=True):
        axis.plot([x, y], [1, 0], color=KEY if gone else WEIGHTS, lw=0.5, alpha=0.6)
    for places, height in ((exact, 1), (kept, 0)):
        axis.scatter(places, np.full(64, height), s=9, c=np.where(lost, KEY, WEIGHTS))
    axis.text(ZERO, -0.25, "0", ha="center", va="top", fontsize=9, color=INK)
    axis.set_yticks([1, 0], ["exact", "kept"])
    axis.set_xticks([-16, -9, 0, 8], ["2⁻¹⁶", "2⁻⁹", "1", "256"])
    axis.set(xlim=(ZERO - 1, MOST), ylim=(-0.3, 1.3))
    return figure
