"""Still pictures of lesson 3: scores and scaling."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import MUTED, QUERY, panels, picture


def divided(sizes, spread):
    """Draw how the spread of divided scores depends on d_k.

    Parameters
    ----------
    sizes : sequence of int
    spread : array, (n_sizes,)
    """
    figure, axis = panels(1, 1, size=(4.4, 3.0))
    axis.axhline(1, color=MUTED, ls=":")
    axis.plot(sizes, spread, "o-", color=QUERY)
    axis.set(title="spread of the scores", yscale="log", ylim=(1 / 32, 32))
    axis.set_yticks([1 / 16, 1, 16], ["1/16", "1", "16"])
    axis.set(xlabel="$d_k$", xscale="log")
    axis.set_xticks(sizes[::3], [str(size) for size in sizes[::3]])
    axis.minorticks_off()
    return figure


@picture
def walked(walks):
    """Draw short walks from 0, where each ends, and the spread of the ends.

    Parameters
    ----------
    walks : array, (n_walks, n_steps)
        Every walk there is, each step 1 or −1.
    """
    figure, axis = panels(1, 1, size=(4.4, 2.4))
    n_walks, n_steps = walks.shape
    ends, apart = walks.sum(axis=1), np.linspace(-0.12, 0.12, n_walks)
    for walk, moved in zip(walks, apart, strict=True):
        axis.plot([0, *walk.cumsum() + moved], "o-", color=QUERY, ms=4, lw=1.4)
    for end in {*ends.tolist()}:
        axis.text(n_steps + 0.1, end, f"{end}".replace("-", "−"), va="center")
    steps = np.arange(n_steps + 1)
    spread = np.hstack([[0], walks.cumsum(axis=1).std(axis=0)])  # after each step
    axis.fill_between(steps, -spread, spread, color=MUTED, alpha=0.15, lw=0)
    axis.set(xlim=(-0.1, n_steps + 0.4), xticks=steps, xlabel="steps")
    axis.tick_params(length=0)
    axis.set(
        yticks=[-n_steps, 0, n_steps],
        title=f"gray: the spread, {ends.std():.1f} at the end",
    )
    names = ", ".join(f"{end:d}" for end in ends)
    return figure, f"All {n_walks} walks of {n_steps} steps end at {names}."


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
