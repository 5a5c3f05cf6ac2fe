"""Still picture of what comes back from softmax and from states of a fixed size."""

import numpy as np

from ..kit.picture import MUTED, WEIGHTS, panels


def shares(found):
    """Draw a bar for each rule: the share of values that come back.

    Parameters
    ----------
    found : dict of str to (float, float)
        The mean share, and half of its 95% interval.
    """
    figure, axis = panels(1, 1, size=(6, 2.2))
    means, halves = np.array(list(found.values())).T
    places = np.arange(len(found))
    axis.barh(places, means, xerr=halves, color=WEIGHTS, ecolor=MUTED)
    axis.set_yticks(places, list(found))
    axis.invert_yaxis()
    axis.set(xlim=(0, 1), xlabel="share of values that come back")
    return figure
