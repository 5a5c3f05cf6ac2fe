"""Still picture of lesson 5's opening: a query, its weights, its output."""

import numpy as np

from ..kit.picture import INK, MUTED, QUERY, VALUE, WEIGHTS, panels


def one_query(words, query, key, value, answer):
    """Draw a query with the keys, the weights that it gives, and its output.

    Parameters
    ----------
    words : sequence of str
    query : two numbers
    key, value : array, (n_words, 2)
    answer : attncourse.figures.query_to_output.live.Answer
    """
    figure, (asks, shares, gets) = panels(1, 3, size=(7.2, 2.6), phone=6)
    _question(asks, words, query, key)
    _bars(shares, words, answer.weights)
    _hull(gets, words, value, answer.output)
    return figure


def _question(axis, words, query, key):
    axis.annotate("", query, (0, 0), arrowprops={"arrowstyle": "->", "color": QUERY})
    axis.plot(*np.unique(key, axis=0).T, "o", color=MUTED, ms=4)
    axis.axhline(0, color=MUTED, lw=0.5)
    axis.axvline(0, color=MUTED, lw=0.5)
    axis.set(xlim=(-4.5, 8.5), ylim=(-4.5, 8.5), aspect="equal", title="query")
    axis.set(xlabel="alive", ylabel="edible")


def _bars(axis, words, weights):
    axis.barh(words, weights, color=WEIGHTS)
    for row, weight in enumerate(weights):
        inside = weight > 0.5
        place = {"ha": "right" if inside else "left", "va": "center"}
        text = f" {weight:.3f} "
        axis.text(weight, row, text, color="white" if inside else INK, **place)
    axis.invert_yaxis()
    axis.set(xlim=(0, 1), title="weights")


def _hull(axis, words, value, output):
    corners, first = np.unique(value, axis=0, return_index=True)
    axis.fill(*corners.T, color=VALUE, alpha=0.15, lw=0)
    for corner, row in zip(corners, first, strict=True):
        name = words[row] if corner.any() else "others"
        axis.plot(*corner, "o", color=VALUE)
        axis.annotate(
            name, corner, (3, 5), textcoords="offset points", color=VALUE, fontsize=9
        )
    axis.plot(*output, "o", color=INK, ms=7)
    axis.set(xlim=(-0.15, 1.35), ylim=(-0.15, 1.35), aspect="equal", title="output")
    axis.set(xlabel="alive", ylabel="edible")
