"""Still pictures of the one-minute puzzles."""

import numpy as np
from matplotlib.patches import Rectangle

from ..kit.picture import INK, KEY, MUTED, QUERY, VALUE, on_phone, panels, picture


@picture
def beside_the_line(values, right, printed):
    """Draw values that lie on one line, a right output, and printed ones beside it.

    Parameters
    ----------
    values : array, (n_keys, 2)
    right : array, (2,)
    printed : array, (n, 2)
        The outputs that somebody printed.
    """
    values, printed = np.asarray(values), np.asarray(printed)
    figure, axis = panels(size=(5.0, 4.2))
    axis.plot(*values.T, color=VALUE, lw=3, alpha=0.75, zorder=1)
    axis.plot(*values.T, "o", color=VALUE, ms=9, label="values")
    axis.plot(
        *right, "o", ms=15, mfc="none", mec=INK, mew=2, label="what attention computes"
    )
    axis.plot(*printed.T, "X", color=KEY, ms=11, label="printed")
    for i, (x, y) in enumerate(printed):
        look = {"arrowprops": {"arrowstyle": "-", "color": MUTED}, "ha": "right"}
        away = (-80 + 30 * i, -14 - 30 * i)
        text = f"[{x:g}, {y:g}]"
        axis.annotate(text, (x, y), away, textcoords="offset points", **look)
    axis.set(xlim=(-0.6, 10.6), ylim=(-0.6, 10.6), aspect="equal")
    axis.legend(loc="upper right")
    return figure, (
        f"The values {_points(values)} lie on one line, and so does every mixture of "
        f"them, such as {_points([right])}. The printed {_points(printed)} lie beside "
        "it."
    )


@picture
def two_ways_to_cut(words, n_heads=2, width=4):
    """Draw which words the rows of each head belong to, cut rightly and wrongly.

    Parameters
    ----------
    words : sequence of str
        One for each row of the table that is cut into heads.
    n_heads, width : int
        The table's columns are ``width``, a multiple of ``n_heads``.
    """
    owner = np.repeat(np.arange(len(words)), width).reshape(-1, width)
    wrong = owner.reshape(n_heads, len(words), -1)
    right = np.moveaxis(owner.reshape(len(words), n_heads, -1), 1, 0)
    shape = (2, n_heads) if on_phone() else (1, 2 * n_heads)
    figure, axes = panels(*shape, size=(7.2, 2.6), phone=4)
    says = []
    for way, (name, heads) in enumerate({"moved": right, "reshaped": wrong}.items()):
        for h, head in enumerate(heads):
            _head(axes.flat[n_heads * way + h], head, words, f"Head {h + 1}, {name}")
            rows = ", ".join(words[i] for i in head[:, 0])
            says.append(f"head {h + 1}, {name}: {rows}")
    return (
        figure,
        f"The words to which the rows of each head belong. {'; '.join(says)}.",
    )


def _head(axis, head, words, title):
    """Draw a head's rows as boxes, each in the color of its word, with its name."""
    colors = (QUERY, VALUE, KEY, MUTED)
    n_rows, n_columns = head.shape
    for i, row in enumerate(head):
        for j, word in enumerate(row):
            look = {"color": colors[word % len(colors)], "alpha": 0.35, "lw": 0}
            axis.add_patch(Rectangle((j + 0.04, i + 0.06), 0.92, 0.88, **look))
            place = {"ha": "center", "va": "center", "fontsize": 8}
            axis.text(j + 0.5, i + 0.5, words[word], **place)
    axis.set(xlim=(-0.1, n_columns + 0.1), ylim=(n_rows + 0.1, -0.1), title=title)
    axis.title.set_size(9)
    axis.set_axis_off()


def _points(rows):
    return ", ".join(f"({x:g}, {y:g})" for x, y in rows)
