"""Live figure: a layer norm takes out what one multiplies a row by, and adds to it."""

import numpy as np

from attnlib import layer_norm

from ... import story
from ...story.layers import two_layers
from ..kit.controls import Choice
from ..kit.tabled import Grid, Tabled

TIMES, PLUS = (1, 2, 4), (0, 1, 2)


def row_of_it():
    """Return the row of "it" after the first attention of lesson 8."""
    passed = two_layers(story.embed(story.sentence("hungry")))
    return passed.rows["attention 1"][3]


def _moves(times, plus):
    row = times * row_of_it() + plus
    normed = layer_norm(row, np.ones(row.size))
    return {
        "columns": list(story.COLUMNS),
        "moves": ["row", "− mean", "normed"],
        "cells": np.stack([row, row - row.mean(), normed], axis=-1),
        "mean": row.mean(),
        "spread": row.std(),
    }


panel = Tabled(
    "normed_row",
    controls={
        "times": Choice("Multiply it by", 1, TIMES),
        "plus": Choice("Then add", 0, PLUS),
    },
    compute=_moves,
    drawn=Grid(
        "The row of “it”, in two moves",
        "cells",
        "columns",
        "moves",
        form=".2f",
    ),
    title="A row whose mean is subtracted, and that is divided by its spread",
    summary="The row has the mean {mean:.2f} and the spread {spread:.2f}.",
    said=(
        "mean {mean:.2f}, spread {spread:.2f}",
        "{columns.3}: {cells.3.0:.2f}, normed {cells.3.2:.2f}",
    ),
)
