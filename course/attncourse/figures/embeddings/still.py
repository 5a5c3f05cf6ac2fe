"""Still pictures of lesson 1: words become a matrix."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import INK, MUTED, WEIGHTS, panels, picture


def compared(words, now, state):
    """Draw words of the plane, one's shadow on another, and how that one compares."""
    figure, (left, right) = panels(2, 1, size=(4.4, 6.2))
    word, other = state["word"], state["other"]
    look = {word: INK, other: WEIGHTS}
    vectors = list(words.values())
    arrows(left, vectors, words, [look.get(name, MUTED) for name in words])
    _draw_shadow(left, words[word], words[other])
    left.set(xlabel="alive", ylabel="edible")
    columns = np.stack([now.dot, now.cosine], axis=1)
    heads = ["dot product", "cosine"]
    grid(right, columns, rows=list(words), columns=heads, text="{:.2f}", size=10)
    right.set(aspect="auto", title=f"{word}, compared with")
    return figure


@picture
def sentence(words, columns, x):
    """Draw the rows of a sentence as one matrix, its columns named.

    Parameters
    ----------
    words, columns : sequence of str
    x : array, (n_words, n_columns)
    """
    figure, axis = panels(size=(5.6, 3.0))
    names = [column.replace(" ", "\n") for column in columns]
    grid(axis, x, rows=words, columns=names, most=1, text="{:.0f}", size=10)
    axis.set_aspect("auto")
    rows = zip(words, x, strict=True)
    says = "; ".join(
        f"{word} {' '.join(f'{n:.0f}' for n in row)}" for word, row in rows
    )
    return figure, f"X, a row for each word ({', '.join(columns)}): {says}."


def shadow(one, other):
    """Return how far along one vector another reaches; negative if it points away.

    Examples
    --------
    >>> shadow(np.array([2, 0]), np.array([-3, 1]))
    -3.0
    """
    length = float(np.linalg.norm(one))
    return float(one @ other) / length if length else 0.0


def _draw_shadow(axis, one, other):
    length = np.linalg.norm(one)
    foot = shadow(one, other) * one / (length or 1)
    axis.plot(*np.transpose([other, foot]), ":", color=WEIGHTS, lw=1.2)
    axis.plot(*np.transpose([(0, 0), foot]), color=WEIGHTS, lw=6, alpha=0.75)


def arrows(axis, vectors, names, colors):
    """Draw vectors of the plane as arrows from the origin, named at their tips.

    Parameters
    ----------
    axis : matplotlib Axes
    vectors : array, (n, 2)
    names : sequence of str
    colors : sequence of str, one for each vector
    """
    vectors = np.asarray(vectors)
    axis.axhline(0, color=MUTED, lw=0.8, zorder=0)
    axis.axvline(0, color=MUTED, lw=0.8, zorder=0)
    at_tip, side = {}, -1 if vectors[:, 0].mean() > 0 else 1
    for end, name, color in zip(vectors, names, colors, strict=True):
        arrow = {"arrowstyle": "->", "color": color, "lw": 1.8}
        axis.annotate("", end, (0, 0), arrowprops=arrow)
        at_tip.setdefault(tuple(end), []).append((name, color))
    for end, named in at_tip.items():
        text = "\n".join(name for name, _ in named)
        beside = _beside(end[0], end[1], side)
        axis.annotate(text, end, color=named[0][1], fontsize=10, **beside)
    most = max(2.4, 1.2 * np.abs(vectors).max(), *np.abs(axis.get_xlim()))
    axis.set(xlim=(-most, most), ylim=(-most, most), aspect="equal")


def _beside(x, y, side):
    """Place a name past the tip (x, y); on ``side``, −1 or 1, of an upright arrow."""
    if x == y == 0:
        offset, sides = (-5, -4), ("right", "top")
    elif abs(y) < 0.4 * np.hypot(x, y):
        offset, sides = (0, 6), ("center", "bottom")
    elif abs(x) < 0.4 * np.hypot(x, y):
        offset, sides = (7 * side, 0), ("left" if side > 0 else "right", "center")
    else:
        offset, sides = (5 * np.sign(x), 3), ("left" if x > 0 else "right", "center")
    ha, va = sides
    return {"xytext": offset, "textcoords": "offset points", "ha": ha, "va": va}
