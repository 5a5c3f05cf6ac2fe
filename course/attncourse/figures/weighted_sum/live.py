"""Lesson 5's second live figure: mix three values, and try to reach an answer."""

from typing import Any, NamedTuple

import numpy as np

from attncourse.story import examples
from attnlib import softmax

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Description, Line, Table
from . import still

WORDS = ("token 1", "token 2", "token 3")
PRINTED = ((5.3, 4.2), (5.0, 4.0))  # what post 4 says of token 1, in two places
*_, VALUES = examples.three_tokens()


class Mixture(NamedTuple):
    """Weights of three values, (3,), each value times its weight, and the output, (2,).

    The others are the columns of the table, with the sum below.
    """

    weights: Any
    weighted: Any
    output: Any
    shares: Any
    held: Any
    products: Any


def _mix(parts):
    # Shares of parts are a softmax too: the scores are the logarithms of the parts.
    weights = softmax(np.log(parts))
    weighted, output = weights[:, None] * VALUES, weights @ VALUES
    return Mixture(
        weights,
        weighted,
        output,
        [*weights, weights.sum()],
        [*VALUES.tolist(), ""],
        [*weighted, output],
    )


panel = Figure(
    "weighted_sum",
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
    still=lambda _, now: still.mixture(WORDS, VALUES, now.weights, now.output, PRINTED),
    sound={"weights": "weights"},
    describe=Description(
        "Three values, mixed",
        (
            "The output is {output:[.3f}, on the line from the first value to the "
            "second.",
            "The printed {printed.0:[.1f} and {printed.1:[.1f} lie beside that line.",
        ),
        (
            Table(
                "From parts to the output",
                "rows",
                (
                    Line("weight", "shares", ".3f"),
                    Line("value", "held", "[.0f"),
                    Line("weight × value", "products", "[.3f", source="shares"),
                ),
                upright=True,
                shown=True,
            ),
        ),
        said=(
            "output {output:[.2f}, on the line between the values",
            *(f"{{names.{j}}} weighs {{weights.{j}:.3f}}" for j in range(3)),
        ),
    ),
)
