"""The matrices of the strip in miniature, with the machine's own numbers.

Each stage of `attncourse_stages` whose name is in `SHOWN` gets a small drawing.
"""

from functools import cache

import numpy as np

from attncourse.figures.machine.inputs import given
from attncourse.figures.machine.tables import PARTS, tables

CELL = 3.5  # pixels
SHOWN = {  # of each stage: lesson of the machine, head or layer, matrix
    "X": [(2, 0, "X")],
    "Q K V": [(2, 0, "Q"), (2, 0, "K"), (2, 0, "V")],
    "scores": [(3, 0, "S")],
    "weights": [(4, 0, "A")],
    "output": [(5, 0, "O")],
    "heads": [(6, 0, "A"), (6, 1, "A")],
    "encoder": [(8, 0, "N"), (8, 1, "N")],
}


@cache
def miniature(stage):
    """Return the drawing of a stage as SVG; without one, the empty text."""
    left, height, inside = 0.0, 0.0, []
    for lesson, block, base in SHOWN.get(stage, ()):
        _, table = tables(given(lesson), 0)[block]
        inside.append(_matrix(table[base], PARTS[base].role, left))
        left += table[base].shape[1] * CELL + 2
        height = len(table[base]) * CELL
    if not inside:
        return ""
    width = left - 2
    box = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg aria-hidden="true" {box}>{"".join(inside)}</svg>'


def _matrix(table, role, left):
    """Return a faint ground, and the cells that are not 0: the larger, the stronger."""
    rows, columns = table.shape
    shares = (np.abs(table) / max(1, np.abs(table).max())).round(1)
    ground = _cell(left, 0, columns * CELL, rows * CELL)
    paths = [f'<path opacity=".13" d="{ground}"/>']
    for share in np.unique(shares[shares > 0]):
        places = np.argwhere(shares == share)
        path = "".join(_cell(left + j * CELL, i * CELL) for i, j in places)
        paths.append(f'<path opacity="{share:g}" d="{path}"/>')
    return f'<g class="aw-mini-{role}">{"".join(paths)}</g>'


def _cell(x, y, width=CELL - 0.5, height=CELL - 0.5):
    return f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"
