"""Still pictures of lesson 6: multi-head attention."""

import numpy as np
from matplotlib.patches import Polygon, Rectangle

from ..kit.grids import grid
from ..kit.picture import INK, MUTED, VALUE, WEIGHTS, panels, picture


@picture
def every_head(weights, concatenated, output, word):
    """Draw every head's weights, the heads side by side, and their projection.

    Parameters
    ----------
    weights : array, (n_heads, n_tokens, n_tokens)
    concatenated, output : array, (n_tokens, d_model)
    word : int
        The word, counted from 1, whose rows the words of the picture give.
    """
    n_heads, n_tokens, _ = weights.shape
    figure, axes = panels(2, max(n_heads, 2), size=(7.2, 4.6))
    for axis in axes.flat:
        axis.set_axis_off()
    names = [f"word {i + 1}" for i in range(n_tokens)]
    look = {
        "columns": range(1, n_tokens + 1),
        "most": weights.max(),
        "text": "{:.3f}",
        "size": 8,
    }
    for h, (axis, head) in enumerate(zip(axes[0], weights, strict=False)):
        axis.set_axis_on()
        grid(axis, head, title=f"Head {h + 1}: weights", **look)
    look = {"colour": VALUE, "most": np.abs(output).max(), "text": "{:.2f}", "size": 8}
    below = {"Concatenated": concatenated, "Output": output}
    for axis, (title, rows) in zip(axes[1], below.items(), strict=False):
        axis.set_axis_on()
        grid(axis, rows, title=title, **look)
    for axis in axes[:, 0]:
        axis.set_yticks(np.arange(n_tokens) + 0.5, names)
    heads = "; ".join(
        f"head {h + 1} {', '.join(f'{w:.3f}' for w in head[word - 1])}"
        for h, head in enumerate(weights)
    )
    out = ", ".join(f"{number:.3f}" for number in output[word - 1])
    return figure, f"Weights of word {word}: {heads}. Its output: {out}."


@picture
def mixtures(values, target):
    """Draw what one row of weights can reach: the hull of the values.

    Parameters
    ----------
    values : dict of str to array, (2,)
    target : array, (2,)
        What is wanted: the first number of one word, the second of another.
    """
    figure, axis = panels(size=(4.6, 3.8))
    corners = np.array(list(values.values()))
    low, high = corners.min(axis=0), corners.max(axis=0)
    box = {"fill": False, "ls": "--", "color": MUTED, "label": "reach of two heads"}
    axis.add_patch(Rectangle(low, *(high - low), **box))
    hull = {"color": WEIGHTS, "alpha": 0.35, "lw": 0, "label": "reach of one head"}
    axis.add_patch(Polygon(corners, **hull))
    for name, (x, y) in values.items():
        axis.plot(x, y, "o", color=VALUE)
        axis.annotate(name, (x, y), (6, 4), textcoords="offset points")
    axis.plot(*target, "*", color=INK, ms=14, label="wanted")
    axis.set(xlim=(0, 11), ylim=(0, 11), xlabel="who", ylabel="how", aspect="equal")
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=8)
    says = ", ".join(f"{name} {v[0]:g}, {v[1]:g}" for name, v in values.items())
    return figure, (
        f"The values ({says}) are the corners of the triangle that one head can reach. "
        f"The wanted {target[0]:g}, {target[1]:g} lies outside it, at a corner of the "
        "box that two heads can reach."
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
    for row, how, heads in zip(
        axes, ("transposed", "reshaped"), (right, wrong), strict=True
    ):
        grid(row[0], table, rows=names, title="All columns", **look)
        for h, head in enumerate(heads):
            grid(row[h + 1], head, title=f"Head {h + 1}, {how}", **look)
    return figure, (
        f"Of {n_tokens} words, the numbers 0 to {table.size - 1} row by row, head 1 "
        f"gets {right[0].tolist()} with the transpose and {wrong[0].tolist()} without."
    )
