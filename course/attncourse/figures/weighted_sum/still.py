"""Still picture of lesson 5: three values mixed."""

import numpy as np

from ..kit.picture import INK, MUTED, VALUE, WEIGHTS, panels


def mixture(words, values, weights, output, printed):
    """Draw three values, the output that the weights make of them, printed answers.

    Parameters
    ----------
    words : sequence of str
    values : array, (3, 2)
    weights : array, (3,)
    output : array, (2,)
    printed : sequence of two numbers each
        Outputs that somebody printed: to be compared with where an output can be.
    """
    figure, axis = panels(size=(4.4, 3.8))
    axis.fill(*np.transpose(values), edgecolor=VALUE, facecolor="none", lw=2)
    for word, value, weight in zip(words, values, weights, strict=True):
        axis.plot(*zip(value, output, strict=True), color=WEIGHTS, lw=1 + 7 * weight)
        _point(axis, value, f"{word}, weight {weight:.3f}", VALUE)
    for answer in printed:
        axis.plot(*answer, "*", color=MUTED, ms=11)
        text = f"printed {_vector(answer, 1)}"
        axis.annotate(text, answer, (0, -16), textcoords="offset points", ha="right")
    axis.plot(*output, "o", color=INK, ms=8)
    axis.set(xlim=(-0.5, 13), ylim=(-0.5, 11), aspect="equal")
    return figure


def _point(axis, place, text, color, lift=5):
    axis.plot(*place, "o", color=color)
    axis.annotate(text, place, (6, lift), textcoords="offset points", color=color)


def _vector(numbers, digits):
    text = ", ".join(f"{x + 0.0:.{digits}f}" for x in numbers)
    return f"[{text}]".replace("-", "−")
