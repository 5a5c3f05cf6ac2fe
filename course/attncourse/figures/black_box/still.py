"""The still picture of lesson 16: what comes out of a black box."""

from ..kit.grids import grid
from ..kit.picture import QUERY, VALUE, panels, picture


@picture
def output(now, box, values, size):
    """Draw the output of a box as a grid of numbers.

    Parameters
    ----------
    now : SimpleNamespace
        ``output``, as the live figure has it.
    box, values : str
    size : float
    """
    n_queries, n_values = now.output.shape
    figure, axis = panels(size=(1.4 + 0.7 * n_values, 0.9 + 0.5 * n_queries))
    rows = [f"query {i + 1}" for i in range(n_queries)]
    columns = [f"{j + 1}" for j in range(n_values)]
    look = {"most": 1.0, "text": "{:.2f}", "color": VALUE}
    grid(axis, now.output, rows=rows, columns=columns, title="Output", **look)
    axis.tick_params(axis="y", labelcolor=QUERY)
    said = "; ".join(", ".join(f"{x:.2f}" for x in row + 0.0) for row in now.output)
    return figure, (
        f"Output of {box} for values {values} and queries times {size:g}: {said}."
    )
