"""The still picture of the machine: its plan and numbers, drawn by matplotlib."""

import numpy as np
from matplotlib.patches import Rectangle

from attnlib import feed_forward

from ..kit.picture import COLORS, INK, MUTED, WEIGHTS, panels
from .inputs import given, names
from .plan import CELL, WIDTH, lesson_of, plan_of
from .tables import PARTS


def machine(state, now):
    """Draw the machine of one lesson: what comes later is an outline."""
    stage, choice = state["stage"], state["choice"]
    start, placed = given(stage), plan_of(stage)
    figure, axis = panels(size=(WIDTH / 100, placed.height / 100), phone=False)
    figure.set_layout_engine("none")
    axis.set_position([0, 0, 1, 1])
    axis.set(xlim=(0, WIDTH), ylim=(placed.height, 0))
    axis.set_axis_off()
    draw(axis, placed, names(start, choice), now.found[0], stage)
    if placed.ramp:
        ramp(axis, placed.ramp, start.network)
    return figure


PIXEL = 0.72  # points
STRONGEST = 0.38  # of a cell's color, so that digits stay legible on it in both themes


def draw(axis, placed, names, tables, stage):
    """Draw a plan with its numbers into axes whose units are those of the plan."""
    for role, lesson, corners in placed.wires:
        look = {"color": _color(role)} if lesson <= stage else _later()
        axis.plot(*np.transpose(corners), linewidth=1.2, alpha=0.8, **look)
    for x, y, text, lesson in placed.words:
        write(axis, x, y, text, color=INK if lesson <= stage else MUTED)
    for matrix in placed.matrices:
        _matrix(axis, matrix, names, tables, stage)
    for left, top, _, joined in placed.products:
        if joined and lesson_of(placed.matrices[left]) <= stage:
            _elbows(axis, placed.matrices[left], placed.matrices[top], names)


def ramp(axis, box, network):
    """Draw what the network makes of a number."""
    most = 1.3
    numbers = np.linspace(0, most, 66)
    rows = np.repeat(numbers[:, None], len(network[0]), axis=1)
    after = rows + feed_forward(rows, *network)
    foot = box["y"] + box["height"]
    x = box["x"] + box["width"] * numbers / most
    axis.plot(x, foot - box["height"] * after[:, 0] / most, color=WEIGHTS)
    corner = ([box["x"]] * 2 + [box["x"] + box["width"]], [box["y"], foot, foot])
    axis.plot(*corner, color=MUTED, linewidth=0.8)
    for number in (0.4, 0.6, 1):
        place = (box["x"] + box["width"] * number / most, foot + 13)
        write(axis, *place, f"{number:g}", color=MUTED)
    write(axis, box["x"] - 8, foot - box["height"] / most + 4, "1", color=MUTED)
    write(axis, x[-1], foot + 27, "X + update →", ha="right", color=MUTED)
    write(axis, box["x"], box["y"] - 6, "tidied ↑", ha="left", color=MUTED)


def _color(role):
    return COLORS.get(role, MUTED)


def _later():
    return {"color": MUTED, "linestyle": (0, (3, 4))}


def _axes(matrix, names):
    part = PARTS[matrix.base]
    kinds = (part.columns, part.rows) if matrix.turned else (part.rows, part.columns)
    return [list(names[kind]) for kind in kinds]


def _matrix(axis, matrix, names, tables, stage):
    wide, high = matrix.right - matrix.x, matrix.foot - matrix.y
    far = lesson_of(matrix) > stage
    edge = Rectangle((matrix.x, matrix.y), wide, high, fill=False, linewidth=0.8)
    edge.set(edgecolor=MUTED, linestyle=(0, (3, 4)) if far else "-", alpha=0.8)
    axis.add_patch(edge)
    color = None if far else _color(PARTS[matrix.base].role)
    title(axis, matrix, _axes(matrix, names)[1], color)
    if far:
        text = f"lesson {lesson_of(matrix)}" if wide > 100 else f"{lesson_of(matrix)}"
        write(axis, matrix.x + wide / 2, matrix.y + high / 2 + 4, text, color=MUTED)
        return
    rows, columns = _axes(matrix, names)
    table = tables[matrix.base].T if matrix.turned else tables[matrix.base]
    _numbers(axis, matrix, table, color)
    for row, name in enumerate(rows if "r" in matrix.names else ()):
        write(axis, matrix.x - 8, matrix.y + (row + 0.5) * CELL + 4, name, ha="right")
    for column, name in enumerate(columns if "c" in matrix.names else ()):
        column_name(axis, matrix, column, name, slanted=are_slanted(matrix, columns))


def _numbers(axis, matrix, table, color):
    finite = np.abs(table[np.isfinite(table)])
    most = max(1, finite.max(initial=0))
    for (row, column), number in np.ndenumerate(table):
        x, y = matrix.x + column * matrix.width, matrix.y + row * CELL
        if np.isfinite(number) and abs(number) >= 0.005:
            face = Rectangle((x + 1, y + 1), matrix.width - 2, CELL - 2, linewidth=0)
            share = min(abs(number) / most, 1)
            face.set(facecolor=color, alpha=STRONGEST * share)
            axis.add_patch(face)
        ink = INK if abs(number) >= 0.005 else MUTED
        text = short(number)
        small = 7.2 if len(text) > 3 and matrix.width < 32 else 8.7
        place = (x + matrix.width / 2, y + CELL / 2 + 4)
        write(axis, *place, text, color=ink, size=small)


def _elbows(axis, left, top, names):
    for k, name in enumerate(names[PARTS[left.base].columns]):
        x, y = left.x + (k + 0.5) * left.width, top.y + (k + 0.5) * CELL
        end = max(top.x - 12 - 6.6 * len(name), x)
        path = [(x, left.y - 3), (x, y), (end, y)]
        axis.plot(*np.transpose(path), color=MUTED, linewidth=0.6, alpha=0.8)
        write(axis, top.x - 7, y + 4, name, ha="right")


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
