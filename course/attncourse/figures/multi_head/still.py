"""Still pictures of lesson 6: multi-head attention."""

import numpy as np
from matplotlib.patches import Rectangle

from ..kit.grids import grid
from ..kit.picture import KEY, QUERY, VALUE, WEIGHTS, on_phone, panels, picture


def told(now, animals, parts):
    """Draw the weights of "ate", and below them what it is told of each animal."""
    figure, (weights, rows) = panels(2, 1, size=(3.6, 3.8))
    look = {"most": 1.0, "text": "{:.2f}"}
    grid(weights, now.weights, rows=now.who, columns=now.words, color=WEIGHTS, **look)
    wanted = [tuple(cell) for cell in np.argwhere(now.wanted)]
    grid(rows, now.told, rows=parts, columns=animals, lit=wanted, color=VALUE, **look)
    return figure


@picture
def two_ways_to_split(table, right, wrong):
    """Draw a table of whole numbers and two ways to cut it into heads.

    Parameters
    ----------
    table : array, (n_tokens, d_model)
        The numbers 0, 1, 2, … row by row, so that a number tells which word it is of.
    right, wrong : array, (n_heads, n_tokens, d_k)
        A cell has the color of the word that its number is of.
    """
    n_tokens, _ = table.shape
    figure, axes = panels(2, 1 + len(right), size=(7.2, 3.8))
    names = [f"word {i + 1}" for i in range(n_tokens)]
    gap, word = ("\n", "") if on_phone() else (" ", "word ")
    for row, how, heads in zip(
        axes, ("transposed", "reshaped"), (right, wrong), strict=True
    ):
        grid(row[0], table, rows=names, title="All columns")
        _color_by_word(row[0], table, table.shape[1])
        for h, head in enumerate(heads):
            came_from = [f"{word}{1 + n // table.shape[1]}" for n in head[:, 0]]
            title = f"Head {h + 1},{gap}{how}"
            grid(row[h + 1], head, rows=came_from, title=title)
            _color_by_word(row[h + 1], head, table.shape[1])
    return figure, (
        f"Of {n_tokens} words, the numbers 0 to {table.size - 1} row by row, head 1 "
        f"gets {right[0].tolist()} with the transpose and {wrong[0].tolist()} without."
    )


def _color_by_word(axis, numbers, n_columns):
    for (row, column), number in np.ndenumerate(numbers):
        color = (QUERY, KEY, VALUE)[number // n_columns]
        axis.add_patch(Rectangle((column, row), 1, 1, color=color, alpha=0.3, lw=0))
