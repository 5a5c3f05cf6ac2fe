"""Still picture: where one word looks in two sentences, and all 72 heads below."""

import numpy as np
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from ..kit.picture import INK, MUTED, WEIGHTS, on_phone, panels, picture
from .still import word_bars

LEAST = 0.25  # a cell is drawn from such a weight on: more would weigh too much
WIDTH, HEIGHT, BELOW = 520, 560, 317  # points; below lie all heads
EDGE, CELL = 40, 3  # whole points make short numbers in the file
GAP = 2  # cells between two matrices


@picture
def word_and_heads(tokens, rows, word, weights, chosen):
    """Draw one word's weights in two sentences, and every head's matrix in the first.

    Parameters
    ----------
    tokens : two sequences of str
    rows : two arrays, (n_tokens,)
        What the word gives to each token, in the chosen head.
    word : str
    weights : array, (n_layers, n_heads, n_tokens, n_tokens)
        Of the first sentence.
    chosen : tuple of int
        The layer and the head to frame.
    """
    figure, axes = panels(1, 2, size=(WIDTH / 72, HEIGHT / 72), phone=5.4)
    if on_phone():  # all heads would be 13 pixels each
        return figure, word_bars(axes, tokens, rows, word)
    rect = (0, BELOW / HEIGHT, 1, 1 - BELOW / HEIGHT)
    figure.set_layout_engine("constrained", rect=rect)
    says = word_bars(axes, tokens, rows, word)
    map_axis = _place(figure, weights.shape)
    _all_heads(map_axis, weights, chosen)
    sentence = f"… {' '.join(tokens[0][-4:-1])}"
    map_axis.set_title(f"every head, weights of {LEAST} and more: {sentence}")
    name = f"{chosen[0]}.{chosen[1]}"
    return (
        figure,
        f"The word “{word}” in head {name}. {says} {_count(tokens[0], weights)}",
    )


def _count(tokens, weights):
    """Say in how many heads most tokens look most at the first token or the last."""
    ends = np.isin(weights.argmax(axis=-1), (0, len(tokens) - 1)).mean(axis=-1)
    most = (ends > 0.5).sum()
    return (
        f"Below, all {ends.size} heads in the first sentence: in {most} of them most "
        f"tokens look most at {tokens[0]} or {tokens[-1]}."
    )


def _place(figure, shape):
    """Make axes in which a cell takes a whole number of points, if there is room."""
    n_layers, n_heads, n_tokens, _ = shape
    rows, columns = n_layers * (n_tokens + GAP) + 1, n_heads * (n_tokens + GAP) + 1
    side = min(CELL, (WIDTH - EDGE) / columns, (BELOW - 2 * EDGE) / rows)
    box = (EDGE / WIDTH, EDGE / HEIGHT, side * columns / WIDTH, side * rows / HEIGHT)
    return figure.add_axes(box, xlim=(-1, columns - 1), ylim=(rows - 1, -1))


def _all_heads(axis, weights, chosen):
    """Draw a small matrix for each head, a row of them for each layer; frame one."""
    n_layers, n_heads, n_tokens, _ = weights.shape
    step = n_tokens + GAP
    width, height = n_heads * step, n_layers * step
    wide = axis.get_position().width * WIDTH / (width + 1)  # of a cell, in points
    cells = PathPatch(_runs(weights >= LEAST, step), capstyle="butt", fill=False)
    cells.set(edgecolor=WEIGHTS, linewidth=wide)
    lines = PathPatch(_lines(width, height, step), edgecolor=MUTED, lw=0.4, fill=False)
    corner = (chosen[1] * step - 1, chosen[0] * step - 1)
    frame = Rectangle(corner, step, step, fill=False, edgecolor=INK, lw=1.8)
    for patch in (cells, lines, frame):
        axis.add_patch(patch).set_clip_on(False)
    middle = {"ha": "center", "va": "center"}
    for i in range(n_heads):
        axis.text((i + 0.5) * step - 1, height + 3, i, **middle)
    for i in range(n_layers):
        axis.text(-6, (i + 0.5) * step - 1, f"{i}.", **middle)
    axis.set_axis_off()


def _lines(width, height, step):
    """Draw the lines between matrices as one path."""
    upright = [[(x, -1), (x, height - 1)] for x in range(-1, width, step)]
    level = [[(-1, y), (width - 1, y)] for y in range(-1, height, step)]
    points = np.reshape([*upright, *level], (-1, 2))
    return Path(points, [Path.MOVETO, Path.LINETO] * (len(points) // 2))


def _runs(cells, step):
    """Draw cells as vertical lines, one for neighbors in a column: a small path.

    Parameters
    ----------
    cells : array of bool, (n_layers, n_heads, n_tokens, n_tokens)
    step : int
        How far a matrix lies from the next.
    """
    columns = np.pad(cells.swapaxes(-1, -2), [(0, 0)] * 3 + [(1, 1)]).astype(int)
    starts, ends = (np.argwhere(np.diff(columns) == turn) for turn in (1, -1))
    layer, head, key, top = starts.T
    x, y = head * step + key + 0.5, layer * step + top
    points = np.stack([x, y, x, y + ends[:, -1] - top], axis=-1).reshape(-1, 2)
    return Path(points, [Path.MOVETO, Path.LINETO] * len(starts))
