"""The landing page's still picture: a head that seems to know, and does not."""

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from ..kit.picture import INK, MUTED, QUERY, WEIGHTS, panels

IT = 6
SIZE = 10.5  # of the words, in points
HIGH = 1.6  # of the longest arc


def no_evidence(sentences, tables):
    """Draw what “it” looks at in both sentences, then what every word looks at.

    Parameters
    ----------
    sentences : two lists of str
    tables : two arrays, (n_words, n_words)
        What each word gives to each.
    """
    figure, axes = panels(3, 1, size=(4.4, 5.4))
    rows = (sentences[0], sentences[1], sentences[1])
    for axis, words, lit in zip(axes, rows, ([IT], [IT], range(9)), strict=True):
        table = tables[int(words is sentences[1])]
        middles = _write(axis, words, lit)
        for i in lit:
            for j, weight in enumerate(table[i]):
                _arc(axis, middles[i], middles[j], weight if len(lit) == 1 else 0)
            best = int(table[i].argmax())
            if len(lit) > 1:
                _arc(axis, middles[i], middles[best], table[i, best])
    first, second = (table[IT].argmax() for table in tables)
    titles = [
        f"“it” looks at “{words[j]}”: {table[IT, j]:.2f}"
        for words, table, j in zip(sentences, tables, (first, second), strict=True)
    ]
    titles.append("but so does every other word")
    for axis, title in zip(axes, titles, strict=True):
        axis.set_title(title)
    return figure


def _write(axis, words, lit):
    """Write the words along the foot; return the middle of each."""
    widths = np.array([max(2.2, len(word) + 1.2) for word in words])
    middles = widths.cumsum() - widths / 2
    for i, (x, word) in enumerate(zip(middles, words, strict=True)):
        color = QUERY if i in lit and len(lit) == 1 else INK
        axis.text(x, -0.12, word, ha="center", va="top", fontsize=SIZE, color=color)
    axis.set(xlim=(0, widths.sum()), ylim=(-0.55, HIGH))
    axis.set_axis_off()
    axis.plot([0, widths.sum()], [0, 0], color=MUTED, lw=0.5)
    return middles


def _arc(axis, start, end, weight):
    """Draw an arc as wide as its weight; from a word to itself, a loop."""
    high = 2 * HIGH * min(abs(start - end) / 34 + 0.12, 0.6)
    bend = 0.9 if start == end else 0
    points = [(start - bend, 0), (start - bend, high), (end + bend, high)]
    path = Path([*points, (end + bend, 0)], [1, 4, 4, 4])
    axis.add_patch(PathPatch(path, fill=False, ec=WEIGHTS, lw=9 * weight, alpha=0.8))
