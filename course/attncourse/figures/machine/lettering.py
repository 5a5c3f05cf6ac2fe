"""The letters of the machine's picture: titles, names of columns, numbers."""

import numpy as np

from ..kit.picture import MUTED
from .parts import PARTS


def write(axis, x, y, text, *, size=8.7, ha="center", **look):
    """Write a text into axes, standing on (x, y)."""
    axis.text(x, y, text, fontsize=size, ha=ha, va="baseline", **look)


def short(number):
    """Return a number with at most two decimals, and none if it is whole."""
    if np.isneginf(number):
        return "−∞"
    text = f"{number:.0f}" if abs(number - round(number)) < 1e-9 else f"{number:.2f}"
    return ("0" if float(text) == 0 else text).replace("-", "−")


def are_slanted(matrix, columns):
    """Say whether the names of many columns are too long to stand side by side."""
    long = max(map(len, columns)) * 6.1 > matrix.width + 6
    return len(columns) > 2 and long and matrix.width < 46


def column_name(axis, matrix, column, name, *, slanted):
    """Write the name of a column above it."""
    x = matrix.x + (column + 0.5) * matrix.width
    look = {"size": 8.2, "color": MUTED}
    if slanted:
        look |= {"ha": "left", "rotation": 55, "rotation_mode": "anchor"}
        write(axis, x, matrix.y - 5, name, **look)
    else:
        write(axis, x, matrix.y - 5, name.replace(" ", "\n"), **look)


def title(axis, matrix, columns, color=None):
    """Write the name of a matrix; one that is still to come has no color."""
    stem, _, raised = PARTS[matrix.base].name.partition("^")
    raised = "T" if matrix.turned else raised
    text = rf"$\mathbf{{{stem}}}^{{\mathbf{{{raised}}}}}$" if raised else stem
    places = {
        "side": (matrix.x - 8, matrix.y - 8, "right"),
        "corner": (matrix.x - 8, matrix.y - 10, "right"),
        "above": (
            (matrix.x + matrix.right) / 2,
            matrix.y - _above(matrix, columns, named=color is not None),
            "center",
        ),
    }
    x, y, ha = places[matrix.title]
    look = {"color": color or MUTED, "weight": "bold" if color else "normal"}
    write(axis, x, y, text, size=10, ha=ha, **look)


def _above(matrix, columns, *, named):
    """Return how far above its matrix a title stands, over the names of columns."""
    if not named or "c" not in matrix.names:
        return 7
    if are_slanted(matrix, columns):
        return 70
    return 33 if any(" " in name for name in columns) else 25
