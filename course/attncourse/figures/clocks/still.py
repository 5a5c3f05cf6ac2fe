"""A still picture of lesson 7: hands, and the same hands one step back."""

import numpy as np
from matplotlib.patches import Circle, Wedge

from ..kit.picture import KEY, MUTED, QUERY, panels, picture


@picture
def one_step_back(positions):
    """Draw the fast hand of each position, and dashed where it is one step back.

    Parameters
    ----------
    positions : sequence of int
    """
    figure, axes = panels(1, len(positions), size=(2 * len(positions), 2.2))
    for axis, at in zip(axes, positions, strict=True):
        axis.add_patch(Circle((0, 0), 1, fill=False, color=MUTED, lw=0.8))
        own, back = (90 - np.degrees(turned) for turned in (at, at - 1))
        axis.add_patch(Wedge((0, 0), 0.4, own, back, color=QUERY, alpha=0.2, lw=0))
        axis.plot([0, np.sin(at)], [0, np.cos(at)], color=KEY, lw=2)
        axis.plot([0, np.sin(at - 1)], [0, np.cos(at - 1)], "--", color=QUERY, lw=2)
        axis.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
        axis.set_title(f"position {at}", fontsize=10, loc="center")
        axis.set_axis_off()
    told = " and ".join(map(str, positions))
    return figure, (
        f"The fast hand of positions {told}, and dashed the same hand one step back: "
        "1 radian counterclockwise in each."
    )
