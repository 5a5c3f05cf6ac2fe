"""Still pictures of lesson 5: weighted sums of values."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import INK, MUTED, VALUE, WEIGHTS, panels, picture


@picture
def mixture(words, values, weights, output):
    """Draw three values as corners, and the output that the weights make of them.

    Parameters
    ----------
    words : sequence of str
    values : array, (3, 2)
    weights : array, (3,)
    output : array, (2,)
    """
    figure, axis = panels(size=(4.4, 3.8))
    _hull(axis, values)
    for word, value, weight in zip(words, values, weights, strict=True):
        axis.plot(*zip(value, output, strict=True), color=WEIGHTS, lw=1 + 7 * weight)
        _point(axis, value, f"{word}, weight {weight:.3f}", VALUE)
    _point(axis, output, "output", INK)
    axis.set(xlim=(-0.2, 3.0), ylim=(-0.2, 2.4), aspect="equal")
    says = ", ".join(f"{w} {x:.3f}" for w, x in zip(words, weights, strict=True))
    return figure, f"Weights: {says}. Output: {_vector(output, 3)}, in the triangle."


@picture
def inside(words, values, outputs, hull):
    """Draw the values of a sentence, the shape they span, and its outputs.

    Parameters
    ----------
    words : sequence of str
    values, outputs : array, (n_tokens, 2)
    hull : sequence of int
        The values that are the corners of the shape, in order around it.
    """
    figure, axis = panels(size=(5.0, 4.0))
    _hull(axis, values[list(hull)])
    for word, value, output in zip(words, values, outputs, strict=True):
        arrow = {"arrowstyle": "->", "color": MUTED}
        axis.annotate("", output, value, arrowprops=arrow)
        _point(axis, value, word, VALUE, lift=5 if output[1] < value[1] else -13)
        axis.plot(*output, "o", color=INK)
    axis.set(xlim=(-0.2, 2.8), ylim=(-0.2, 2.4), aspect="equal")
    axis.set(xlabel="first number", ylabel="second number")
    pairs = zip(words, values, outputs, strict=True)
    says = (f"{w} from {_vector(v, 0)} to {_vector(o, 2)}" for w, v, o in pairs)
    return figure, f"From value to output, all inside one shape: {', '.join(says)}."


@picture
def largest_in_row(examples):
    """Draw the weights of several examples; heavy edges mark each row's largest.

    Parameters
    ----------
    examples : dict of str to array, (n_tokens, n_tokens)
        Four of them, the second with the most tokens.
    """
    figure, axes = panels(2, 2, size=(4.8, 4.6), width_ratios=(3, 5))
    says = []
    for axis, (name, weights) in zip(axes.flat, examples.items(), strict=True):
        lit = np.argwhere(np.isclose(weights, weights.max(axis=-1, keepdims=True)))
        look = {"most": 1, "text": "{:.2f}", "size": 8}
        grid(axis, weights, lit=[tuple(cell) for cell in lit], **look)
        axis.set_title(name, size=10)
        rows = (f"{i + 1} → {_columns(lit, i)}" for i in range(len(weights)))
        says.append(f"{name}: {', '.join(rows)}")
    return figure, f"Where each row's largest weight stands. {'; '.join(says)}."


def _columns(lit, row):
    return " and ".join(str(column + 1) for i, column in lit if i == row)


def _hull(axis, corners):
    axis.fill(*np.transpose(corners), color=VALUE, alpha=0.15, lw=0)


def _point(axis, place, text, colour, lift=5):
    axis.plot(*place, "o", color=colour)
    axis.annotate(text, place, (6, lift), textcoords="offset points", color=colour)


def _vector(numbers, digits):
    text = ", ".join(f"{x + 0.0:.{digits}f}" for x in numbers)
    return f"[{text}]".replace("-", "−")
