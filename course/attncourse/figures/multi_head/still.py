"""Still pictures of lesson 6: multi-head attention."""

import numpy as np
from matplotlib.patches import Polygon, Rectangle

from ..kit.grids import grid
from ..kit.picture import INK, QUERY, VALUE, WEIGHTS, on_phone, panels, picture


@picture
def reach(values, wanted, outputs):
    """Draw what one row of weights can reach, and what two can: a triangle, its box.

    Parameters
    ----------
    values : dict of str to array, (2,)
    wanted : array, (2,)
        What an output is wished to be.
    outputs : dict of str to array, (2,)
        How near one head comes to it, by name, and perhaps how near two come: then
        the box is drawn as well.
    """
    figure, axis = panels(size=(4.4, 4.2))
    corners = np.array(list(values.values()))
    low, high = corners.min(axis=0), corners.max(axis=0)
    box = {"fill": False, "ls": "--", "color": WEIGHTS, "label": "reach of two heads"}
    if both := len(outputs) > 1:
        axis.add_patch(Rectangle(low, *(high - low), **box))
    hull = {"color": VALUE, "alpha": 0.3, "lw": 0, "label": "reach of one head"}
    axis.add_patch(Polygon(corners, **hull))
    for name, (x, y) in values.items():
        axis.plot(x, y, "o", color=VALUE)
        axis.annotate(name, (x, y), (6, 4), textcoords="offset points")
    axis.plot(*wanted, "*", color=QUERY, ms=14, label="wanted")
    for i, (name, output) in enumerate(outputs.items()):
        axis.plot(*output, "o", color=INK, ms=7 + 6 * i, mfc="none", label=name)
    edge = 0.25 * (high - low)
    (left, foot), (right, top) = low - edge, high + edge
    axis.set(xlim=(left, right), ylim=(foot, top), aspect="equal")
    axis.set(xlabel="alive", ylabel="edible")
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize=8)
    says = ", ".join(f"{name} {v[0]:g}, {v[1]:g}" for name, v in values.items())
    come = "".join(f" {n}: {o[0]:.2f}, {o[1]:.2f}." for n, o in outputs.items())
    around = "; the box around it is what two heads can reach" if both else ""
    return figure, (
        f"The values ({says}) are the corners of the triangle that one head can "
        f"reach{around}. Wanted: {wanted[0]:g}, {wanted[1]:g}.{come}"
    )


@picture
def two_ways_to_split(table, right, wrong):
    """Draw a table of whole numbers and two ways to cut it into heads.

    Parameters
    ----------
    table : array, (n_tokens, d_model)
    right, wrong : array, (n_heads, n_tokens, d_k)
        A cell is shaded by its number: the later its word, the darker.
    """
    n_tokens, _ = table.shape
    figure, axes = panels(2, 1 + len(right), size=(7.2, 3.8))
    look = {"most": table.max()}
    names = [f"word {i + 1}" for i in range(n_tokens)]
    gap = "\n" if on_phone() else " "
    for row, how, heads in zip(
        axes, ("transposed", "reshaped"), (right, wrong), strict=True
    ):
        grid(row[0], table, rows=names, title="All columns", **look)
        for h, head in enumerate(heads):
            grid(row[h + 1], head, title=f"Head {h + 1},{gap}{how}", **look)
    return figure, (
        f"Of {n_tokens} words, the numbers 0 to {table.size - 1} row by row, head 1 "
        f"gets {right[0].tolist()} with the transpose and {wrong[0].tolist()} without."
    )
