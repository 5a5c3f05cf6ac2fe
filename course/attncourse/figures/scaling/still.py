"""Still pictures of lesson 3: scores and scaling."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import MUTED, QUERY, WEIGHTS, panels, picture


def divided(sizes, spread, medians=None):
    """Draw how the spread of divided scores depends on d_k, and what that does.

    Parameters
    ----------
    sizes : sequence of int
    spread : array, (n_sizes,)
    medians : array, (n_sizes,), optional
        Of each query's largest weight.
    """
    wide = medians is not None
    figure, axes = panels(1, 1 + wide, size=(7.2 if wide else 4.4, 3.0), squeeze=False)
    left, *right = axes.flat
    left.axhline(1, color=MUTED, ls=":")
    left.plot(sizes, spread, "o-", color=QUERY)
    left.set(title="spread of the scores", yscale="log", ylim=(1 / 32, 32))
    left.set_yticks([1 / 16, 1, 16], ["1/16", "1", "16"])
    for axis in right:
        axis.plot(sizes, medians, "o-", color=WEIGHTS)
        axis.set(title="largest of eight weights, median", ylim=(0, 1.02))
    for axis in (left, *right):
        axis.set(xlabel="d_k", xscale="log")
        axis.set_xticks(sizes[::3], [str(size) for size in sizes[::3]])
        axis.minorticks_off()
    return figure


@picture
def squared_sum(walks):
    """Draw what a squared sum adds up: in one walk, and on average over all walks.

    Parameters
    ----------
    walks : array, (n_walks, n_steps)
        Every walk there is, each step 1 or −1.
    """
    figure, (one, mean) = panels(1, 2, size=(5.6, 2.6))
    n_steps = walks.shape[1]
    walk = walks[len(walks) // 3]
    tables = np.outer(walk, walk), walks.T @ walks / len(walks)
    squares = [(i, i) for i in range(n_steps)]
    look = {"most": 1, "lit": squares, "size": 10}
    names = [f"{step:+d}".replace("-", "−") for step in walk]
    grid(one, tables[0], rows=names, columns=names, title="one walk", **look)
    grid(mean, tables[1], title=f"mean of all {len(walks)}", **look)
    return figure, (
        f"Each step times each step. In one walk {tables[0].tolist()}; on average "
        f"over all {len(walks)} walks {tables[1].tolist()}: only the {n_steps} "
        "squares remain."
    )
