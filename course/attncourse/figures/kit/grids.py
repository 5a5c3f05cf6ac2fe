"""Matrices drawn as grids of numbers: one look for all still pictures."""

import numpy as np
from matplotlib.patches import Rectangle

from .picture import INK, MUTED, WEIGHTS, on_phone

LETTERS = 36  # in names above columns: as many as a phone has room for, side by side


def grid(axis, matrix, *, rows=(), columns=(), title="", most=None, **look):
    """Draw a matrix as a grid of numbers, the larger the stronger its color.

    Parameters
    ----------
    axis : matplotlib Axes
    matrix : array, (n_rows, n_columns)
    rows, columns : sequence of str
        Names beside the rows and above the columns.
    title : str
    most : float, optional
        The number that gets the full color; without it cells stay plain. Negative
        numbers are never colored.
    **look
        ``color`` of the cells, ``text``, a format such as ``"{:.2f}"``, ``lit``, cells
        (row, column) with a heavy edge, and the font's ``size``.
    """
    matrix = np.asarray(matrix)
    for (row, column), number in np.ndenumerate(matrix):
        _cell(axis, row, column, number, most, **look)
    axis.set(xlim=(-0.1, matrix.shape[1] + 0.1), ylim=(matrix.shape[0] + 0.1, -0.1))
    axis.set(aspect="equal", title=title)
    axis.set_xticks(np.arange(len(columns)) + 0.5, columns)
    axis.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axis.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    if on_phone() and sum(len(str(name)) for name in columns) > LETTERS:
        axis.tick_params(axis="x", labelrotation=40)
    axis.spines[:].set_visible(False)


def _cell(axis, row, column, number, most, **look):
    share = 0 if most is None else np.clip(number / most, 0, 1)
    lit = (row, column) in look.get("lit", ())
    face = Rectangle((column, row), 1, 1, facecolor=look.get("color", WEIGHTS))
    face.set(alpha=0.38 * share, linewidth=0)
    edge = Rectangle((column, row), 1, 1, fill=False, edgecolor=INK if lit else MUTED)
    edge.set(linewidth=1.8 if lit else 0.4, zorder=3 if lit else 2)
    axis.add_patch(face)
    axis.add_patch(edge)
    text = look.get("text", "{:g}").format(number + 0.0).replace("-", "−")
    place = {"ha": "center", "va": "center", "fontsize": look.get("size", 9)}
    axis.text(column + 0.5, row + 0.5, text, **place)


def sign(axis, symbol):
    """Put a sign such as × or = between two grids, on an axis of its own."""
    axis.set_axis_off()
    axis.text(0.5, 0.5, symbol, ha="center", va="center", fontsize=14)
