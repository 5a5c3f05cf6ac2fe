"""Lesson 5's second live figure: mix three values, and try to reach an answer."""

from types import SimpleNamespace

import numpy as np

from attncourse.story import examples
from attnlib import softmax

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.picture import INK, MUTED, VALUE, WEIGHTS, panels


def mixture(words, values, weights, output, printed):
    """Draw three values, the output that the weights make of them, printed answers."""
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


def _point(axis, place, text, color):
    axis.plot(*place, "o", color=color)
    axis.annotate(text, place, (6, 5), textcoords="offset points", color=color)


def _vector(numbers, digits):
    text = ", ".join(f"{x + 0.0:.{digits}f}" for x in numbers)
    return f"[{text}]".replace("-", "−")


WORDS = ("token 1", "token 2", "token 3")
PRINTED = ((5.3, 4.2), (5.0, 4.0))  # what post 4 says of token 1, in two places
*_, VALUES = examples.three_tokens()


def _mix(parts):
    """Return three weights, (3,), each value times its weight, and the output, (2,).

    The others are the columns of the table, with the sum below.
    """
    # Shares of parts are a softmax too: the scores are the logarithms of the parts.
    weights = softmax(np.log(parts))
    weighted, output = weights[:, None] * VALUES, weights @ VALUES
    return SimpleNamespace(
        weights=weights,
        weighted=weighted,
        output=output,
        shares=[*weights, weights.sum()],
        held=[*VALUES.tolist(), ""],
        products=[*weighted, output],
    )


panel = Figure(
    __file__,
    look="aw-many",
    controls={
        "parts": Slider(
            "Parts",
            (1, 1, 1),
            1,
            20,
            1,
            each={
                f"parts_{j}": f"{word.capitalize()}, parts"
                for j, word in enumerate(WORDS, 1)
            },
        )
    },
    data=lambda: {
        "names": WORDS,
        "rows": (*WORDS, "sum"),
        "values": VALUES,
        "printed": PRINTED,
    },
    compute=_mix,
    still=lambda _, now: mixture(WORDS, VALUES, now.weights, now.output, PRINTED),
    sound={"weights": "weights"},
    title="Three values, mixed",
    summary=(
        "The output is {output:[.3f}, on the line from the first value to the second.",
        "The printed {printed.0:[.1f} and {printed.1:[.1f} lie beside that line.",
    ),
    tables=Table(
        "From parts to the output",
        "rows",
        Line("weight", "shares", ".3f"),
        Line("value", "held", "[.0f"),
        Line("weight × value", "products", "[.3f", source="shares"),
        shown=True,
    ),
    said=(
        "output {output:[.2f}, on the line between the values",
        *(f"{{names.{j}}} weighs {{weights.{j}:.3f}}" for j in range(3)),
    ),
)
