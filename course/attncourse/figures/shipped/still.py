"""The still picture of lesson 17: two tables of weights side by side."""

from ..kit.grids import grid
from ..kit.picture import KEY, QUERY, panels


def side_by_side(now):
    """Draw the weights as they were ``meant``, and as they ``shipped``."""
    figure, axes = panels(1, 2, size=(7.2, 3.2))
    n_queries, n_keys = now.meant.shape
    rows = [f"q{i + 1}" for i in range(n_queries)]
    columns = [f"k{j + 1}" for j in range(n_keys)]
    tables = {"as meant": now.meant, "as shipped": now.shipped}
    for axis, (title, weights) in zip(axes, tables.items(), strict=True):
        look = {"most": 1.0, "text": "{:.2f}", "size": 8, "title": title}
        grid(axis, weights, rows=rows, columns=columns, **look)
        axis.tick_params(axis="y", labelcolor=QUERY, labelsize=8)
        axis.tick_params(axis="x", labelcolor=KEY, labelsize=8)
    return figure
