"""Still pictures of lesson 3: scores and scaling."""

import numpy as np

from attnlib import softmax

from ..kit.grids import grid
from ..kit.picture import INK, KEY, MUTED, QUERY, WEIGHTS, panels, picture


@picture
def three_exponents(scores, exponents=(0, 0.5, 1), n_shown=24):
    """Draw how widely the largest weight varies with d_k, for three exponents.

    Parameters
    ----------
    scores : dict of int to array, (n_queries, n_keys)
        The scores for each d_k; they are divided by d_kᵖ.
    exponents : sequence of float
        The values of p, a panel for each.
    n_shown : int
        The number of queries that are drawn as dots.
    """
    figure, axes = panels(1, len(exponents), size=(7.2, 3.2), sharey=True)
    says = []
    for axis, p in zip(axes, exponents, strict=True):
        divided = {d_k: s / d_k**p for d_k, s in scores.items()}
        tops = [softmax(s).max(axis=-1) for s in divided.values()]
        place = np.arange(len(tops))
        dots = {"color": WEIGHTS, "alpha": 0.4, "ms": 2.5}
        axis.plot(place, np.array([top[:n_shown] for top in tops]), "o", **dots)
        axis.plot(place, [np.median(top) for top in tops], "_", color=INK, ms=9)
        axis.set(title=f"÷ d_k to the power {p:g}", xlabel="d_k", ylim=(0, 1.02))
        axis.set_xticks(place[::3], list(scores)[::3])
        small, large = list(divided.values())[:: len(divided) - 1]
        says.append(
            f"with p = {p:g} their spread goes from {small.std():.2f} to "
            f"{large.std():.2f} and the median of each query's largest weight from "
            f"{np.median(tops[0]):.2f} to {np.median(tops[-1]):.2f}"
        )
    axes[0].set_ylabel("largest of eight weights")
    first, *_, last = scores
    return figure, (
        f"Scores divided by d_k to the power p, from d_k = {first} to {last}: "
        f"{'; '.join(says)}."
    )


@picture
def three_spreads(spreads, exponents=(0, 0.5, 1)):
    """Draw how the spread of the scores depends on d_k, for three exponents.

    Parameters
    ----------
    spreads : dict of int to float
        The spread of the scores for each d_k; they are divided by d_kᵖ.
    exponents : sequence of float
        The values of p, a line for each.
    """
    figure, axis = panels(size=(5.2, 3.2))
    sizes, says = list(spreads), []
    for p, color in zip(exponents, (KEY, QUERY, MUTED), strict=True):
        divided = [spread / d_k**p for d_k, spread in spreads.items()]
        axis.plot(sizes, divided, "o-", color=color, label=f"÷ d_k to the power {p:g}")
        says.append(f"with p = {p:g} from {divided[0]:.2f} to {divided[-1]:.2f}")
    axis.set(xlabel="d_k", ylabel="spread of the scores", xscale="log", yscale="log")
    axis.set_xticks(sizes[::3], [str(size) for size in sizes[::3]])
    axis.set_yticks([0.1, 1, 10], ["0.1", "1", "10"])
    axis.minorticks_off()
    axis.legend()
    return figure, (
        f"Spread of scores divided by d_k to the power p, from d_k = {sizes[0]} to "
        f"{sizes[-1]}: {'; '.join(says)}."
    )


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
