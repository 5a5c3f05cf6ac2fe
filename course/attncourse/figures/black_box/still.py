"""The still picture of lesson 16: what comes out of a black box."""

from ..kit.grids import grid
from ..kit.picture import QUERY, VALUE, panels


def output(numbers):
    """Draw the output of a box as a grid of numbers.

    Parameters
    ----------
    numbers : array, (n_queries, n_values)
    """
    n_queries, n_values = numbers.shape
    figure, axis = panels(size=(1.4 + 0.7 * n_values, 0.9 + 0.5 * n_queries))
    rows = [f"query {i + 1}" for i in range(n_queries)]
    columns = [f"{j + 1}" for j in range(n_values)]
    look = {"most": 1.0, "text": "{:.2f}", "color": VALUE}
    grid(axis, numbers, rows=rows, columns=columns, title="Output", **look)
    axis.tick_params(axis="y", labelcolor=QUERY)
    return figure
