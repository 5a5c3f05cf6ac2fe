"""Still picture of lesson 8's last figure: the way of "it"."""

import numpy as np

from ..kit.picture import QUERY, VALUE, panels


def way(rows, steps):
    """Draw what "it" says and what it is after each step, as places joined by lines.

    Parameters
    ----------
    rows : sequence of array, (5, 4)
        says alive, says edible, alive, edible.
    steps : sequence of str
    """
    figure, axes = panels(1, 2, size=(6.4, 3.4))
    rows, titles = np.array(rows), ("what “it” says", "what “it” is")
    for axis, title, way in zip(axes, titles, np.split(rows, 2, axis=1), strict=True):
        axis.plot(*way.T, "o-", color=QUERY)
        for k, place in enumerate(way):
            if k and np.allclose(place, way[k - 1], atol=1e-3):
                continue
            lift = (4, 8 if k % 2 else -14)
            axis.annotate(
                steps[k], place, lift, textcoords="offset points", ha="center"
            )
        axis.set(xlim=(-0.4, 1.4), ylim=(-0.4, 1.4), aspect="equal", title=title)
        axis.set(xticks=(0, 1), yticks=(0, 1), xlabel="alive", ylabel="edible")
    for noun, place in (("dog", (1, 0)), ("food", (0, 1))):
        axes[1].plot(*place, "s", color=VALUE)
        axes[1].annotate(noun, place, (8, 18), textcoords="offset points", color=VALUE)
    return figure
