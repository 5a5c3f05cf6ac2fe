"""The still picture of choosing keys: what each way multiplies, as bars."""

import numpy as np

from ..kit.picture import INK, KEY, MUTED, WEIGHTS, panels


def bars(now, names):
    """Draw the multiplications of the index and of attention, a bar for each way.

    Parameters
    ----------
    now : attncourse.figures.choose_keys.live.Costs
    names : sequence of str
    """
    figure, axis = panels(size=(6.4, 2.6), phone=2.8)
    rows, index = np.arange(len(names)), np.array(now.of_index)
    axis.barh(rows, index, color=KEY)
    axis.barh(rows, now.shares - index, left=index, color=WEIGHTS)
    for row, share in enumerate(now.shares):
        axis.text(share, row, f" {share:.3f}", va="center", fontsize=9, color=INK)
    axis.axvline(1, color=MUTED, lw=0.8)
    axis.set_yticks(rows, names)
    axis.tick_params(labelsize=9)
    axis.invert_yaxis()
    axis.set(xlim=(0, 1.25), xlabel="multiplications, as a share of all keys'")
    return figure
