"""Still picture: where one word looks in two sentences, and all 72 heads below."""

import numpy as np
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from ..kit.picture import INK, MUTED, WEIGHTS, panels, picture
from .still import word_bars

LEVELS = {0.15: 0.45, 0.4: 1}  # from such a weight on, a cell's colour is this strong
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
    figure, axes = panels(1, 2, size=(WIDTH / 72, HEIGHT / 72))
    figure.get_layout_engine().set(rect=(0, BELOW / HEIGHT, 1, 1 - BELOW / HEIGHT))
    says = word_bars(axes, tokens, rows, word)
    map_axis = _place(figure, weights.shape)
    _all_heads(map_axis, weights, chosen)
    map_axis.set_title(f"every head in “{' '.join(tokens[0][1:-1])}”: rows ask")
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
    """Draw a small matrix for each head of each layer; frame the chosen one."""
    n_layers, n_heads, n_tokens, _ = weights.shape
    step = n_tokens + GAP
    width, height = n_heads * step, n_layers * step
    wide = axis.get_position().width * WIDTH / (width + 1)  # of a cell, in points
    for least, alpha in LEVELS.items():
        look = {"edgecolor": WEIGHTS, "alpha": alpha, "linewidth": wide, "fill": False}
        axis.add_patch(
            PathPatch(_runs(weights >= least, step), capstyle="butt", **look)
        )
    lines = {"colors": MUTED, "linewidth": 0.4}
    axis.vlines(np.arange(-1, width, step), -1, height - 1, **lines)
    axis.hlines(np.arange(-1, height, step), -1, width - 1, **lines)
    corner = (chosen[1] * step - 1, chosen[0] * step - 1)
    axis.add_patch(Rectangle(corner, step, step, fill=False, edgecolor=INK, lw=1.8))
    axis.set_xticks((np.arange(n_heads) + 0.5) * step - 1, range(n_heads))
    axis.set_yticks((np.arange(n_layers) + 0.5) * step - 1, range(n_layers))
    axis.set(xlabel="head", ylabel="layer")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def _runs(cells, step):
    """Draw cells as vertical lines, one for neighbours in a column: a small path.

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
