"""Still pictures of lesson 6: multi-head attention."""

from matplotlib.patches import Polygon, Rectangle

from ..kit.grids import grid
from ..kit.picture import INK, QUERY, VALUE, WEIGHTS, on_phone, panels, picture


def reach(names, values, now, *, star, heads):
    """Draw what one row of weights can reach, and what two can: a triangle, its box.

    Parameters
    ----------
    names : sequence of str, (3,)
    values : array, (3, 2)
    now : attncourse.figures.multi_head.live.Reach
    star : two numbers
        What an output is wished to be.
    heads : int
        With 2, the box and what two heads come to are drawn as well.
    """
    figure, axis = panels(size=(4.4, 4.2))
    low, high = values.min(axis=0), values.max(axis=0)
    box = {"fill": False, "ls": "--", "color": WEIGHTS, "label": "reach of two heads"}
    if heads == 2:
        axis.add_patch(Rectangle(low, *(high - low), **box))
    hull = {"color": VALUE, "alpha": 0.3, "lw": 0, "label": "reach of one head"}
    axis.add_patch(Polygon(values, **hull))
    for name, (x, y) in zip(names, values, strict=True):
        axis.plot(x, y, "o", color=VALUE)
        axis.annotate(name, (x, y), (6, 4), textcoords="offset points")
    axis.plot(*star, "*", color=QUERY, ms=14, label="wanted")
    outputs = {"one head": now.one_output, "two heads": now.two_output}
    for i, (name, output) in enumerate(list(outputs.items())[:heads]):
        axis.plot(*output, "o", color=INK, ms=7 + 6 * i, mfc="none", label=name)
    edge = 0.25 * (high - low)
    (left, foot), (right, top) = low - edge, high + edge
    axis.set(xlim=(left, right), ylim=(foot, top), aspect="equal")
    axis.set(xlabel="alive", ylabel="edible")
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize=8)
    return figure


@picture
def two_ways_to_split(table, right, wrong):
    """Draw a table of whole numbers and two ways to cut it into heads.

    Parameters
    ----------
    table : array, (n_tokens, d_model)
        The numbers 0, 1, 2, … row by row, so that a number tells which word it is of.
    right, wrong : array, (n_heads, n_tokens, d_k)
        A cell is shaded by its number: the later its word, the darker.
    """
    n_tokens, _ = table.shape
    figure, axes = panels(2, 1 + len(right), size=(7.2, 3.8))
    look = {"most": table.max()}
    names = [f"word {i + 1}" for i in range(n_tokens)]
    gap, word = ("\n", "") if on_phone() else (" ", "word ")
    for row, how, heads in zip(
        axes, ("transposed", "reshaped"), (right, wrong), strict=True
    ):
        grid(row[0], table, rows=names, title="All columns", **look)
        for h, head in enumerate(heads):
            came_from = [f"{word}{1 + n // table.shape[1]}" for n in head[:, 0]]
            title = f"Head {h + 1},{gap}{how}"
            grid(row[h + 1], head, rows=came_from, title=title, **look)
    return figure, (
        f"Of {n_tokens} words, the numbers 0 to {table.size - 1} row by row, head 1 "
        f"gets {right[0].tolist()} with the transpose and {wrong[0].tolist()} without."
    )
