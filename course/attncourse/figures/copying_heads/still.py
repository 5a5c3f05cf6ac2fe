"""Still picture of lesson 11: heads and losses at one step of the training."""

import numpy as np
from matplotlib.patches import Rectangle

from ..kit.picture import KEY, MUTED, QUERY, WEIGHTS, panels


def one_moment(step, letters, weights, needed, curves, floor):
    """Draw what each head looks at beside the losses at every step.

    Parameters
    ----------
    step : int
    letters : sequence of str
    weights : sequence of sequence of list, one for each layer
        The row of each query, up to its own key.
    needed : sequence of list of (query, key)
        For each layer the cells that copying needs, to be framed.
    curves : dict of str to dict of int to float
        The loss on "new" and on "repeated" symbols after each number of steps.
    floor : float
        What nobody can get below on new symbols.
    """
    figure, axes = panels(1, len(weights) + 1, size=(8.4, 3.0))
    for layer, (axis, matrix) in enumerate(zip(axes, weights, strict=False)):
        _head(axis, matrix, letters, needed[layer])
        axis.set_title(f"Layer {layer}")
    for (name, losses), style in zip(curves.items(), (":", "-"), strict=True):
        axes[-1].plot(list(losses), list(losses.values()), style, color=WEIGHTS)
        axes[-1].plot(step, losses[step], "o", color=WEIGHTS, label=name)
    axes[-1].axhline(floor, color=MUTED, lw=0.8)
    axes[-1].set(xlabel="steps", title="Loss", ylim=(0, None))
    return figure


def _head(axis, matrix, letters, cells):
    places = np.arange(len(letters))
    for query, key in zip(*np.tril_indices(len(letters)), strict=True):
        cell = Rectangle((key - 0.5, query - 0.5), 1, 1, facecolor=WEIGHTS, linewidth=0)
        cell.set_alpha(float(matrix[query][key]))
        axis.add_patch(cell)
    edges = (-0.5, len(letters) - 0.5)
    axis.set(xlim=edges, ylim=edges[::-1], aspect="equal")
    for query, key in cells:
        axis.plot(key, query, "s", ms=5, mfc="none", mec=MUTED, mew=0.7)
    axis.set_xticks(places, letters, color=KEY)
    axis.set_yticks(places, letters, color=QUERY)
    axis.tick_params(
        length=0, labelsize=7.7, top=False, labeltop=True, labelbottom=False
    )
