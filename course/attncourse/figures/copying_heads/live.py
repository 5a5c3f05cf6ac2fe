"""Lesson 11's live figure: two heads that learn to copy, or one that cannot."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from attncourse.toys.copying import N_SYMBOLS
from attncourse.toys.copying.measures import STEPS, history

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Line, Matrix, Table
from ..kit.panel import choice, letters, numbers
from . import still

LAYERS = {"one layer": 1, "two layers": 2}
RUN, TEXT = 7, np.array([2, 0, 5, 17, 9, 4, 12] * 2)
LETTERS = ["ABCDEFGHIJKLMNOPQRST"[i] for i in TEXT]
PLACES = [f"{letter} {i}" for i, letter in enumerate(LETTERS, 1)]
# What copying needs: in the first run to look at the symbol before, then at the
# symbol that followed last time.
BEFORE = [(i, i - 1) for i in range(1, RUN + 1)]
AFTER = [(i, i - RUN + 1) for i in range(RUN, len(TEXT))]
NEEDED = {1: [AFTER], 2: [BEFORE, AFTER]}
MEASURED = ("new", "repeated", "right")
TOLD = STEPS[::4]  # the losses that are read; the curve has all


@cache
def run(layers):
    """Train one of `LAYERS` and keep what it does after each of `STEPS`, rounded.

    Returns
    -------
    dict of str to list
        ``weights``: after each number of steps the rows of each layer, row i up to key
        i, the last one it sees; and what `toys.copying.measures.history` measures:
        ``new``, ``repeated`` and ``right``.
    """
    kept = history(LAYERS[layers]).values()
    found = {
        name: numbers([getattr(now, name) for now in kept], 2) for name in MEASURED
    }
    return found | {"weights": [_triangles(now.model) for now in kept]}


def _triangles(model):
    return [
        [numbers(row[: i + 1], 2) for i, row in enumerate(matrix)]
        for matrix in model.weights(TEXT)
    ]


def _sent(layers):
    """Return a run as the page has it: in each layer a letter for each cell and step.

    A weight is a whole number of hundredths, and changes little from step to step.
    """
    by_layer = zip(*run(layers)["weights"], strict=True)
    cells = [[np.concatenate(rows) for rows in steps] for steps in by_layer]
    codes = np.rint(100 * np.array(cells)).astype(int)
    return run(layers) | {"weights": [letters(one.T) for one in codes]}


def _compute(step, layers):
    """Return the weights after some steps, and what was measured then.

    ``rows`` has those of all layers, None for what a row does not see, and ``means``
    for each layer the mean weight of the cells that copying needs.
    """
    kept, at, needed = run(layers), STEPS.index(step), NEEDED[LAYERS[layers]]
    weights = kept["weights"][at]
    told = range(0, len(STEPS), 4)
    return SimpleNamespace(
        weights=weights,
        rows=[row + [None] * (len(TEXT) - len(row)) for one in weights for row in one],
        queries=[f"layer {i}: {name}" for i in range(len(weights)) for name in PLACES],
        means=[
            float(np.mean([rows[i][j] for i, j in cells]))
            for rows, cells in zip(weights, needed, strict=True)
        ],
        told=[[kept[name][i] for i in told] for name in MEASURED],
        case=layers,
        **{name: kept[name][at] for name in MEASURED},
    )


LOSSES = (
    "After {step} steps of {layers}: loss {new:.2f} on new letters, whose floor is "
    "{floor:.2f}, and {repeated:.2f} on repeated ones, of which {right:.2f} are right.",
)
COPY = "to what came next last time {means.%d:.2f}"
MEAN = "The mean weight that copying needs: in layer 0 "
SHORT = (
    "{right:.2f} right",
    "loss on repeated letters {repeated:.2f}",
    "on new ones {new:.2f}",
)
panel = Figure(
    __file__,
    controls={
        "step": Choice("Steps of training", 0, STEPS, look=choice),
        "layers": Choice("Model", "two layers", tuple(LAYERS)),
    },
    data=lambda: {
        "letters": LETTERS,
        "places": PLACES,
        "steps": STEPS,
        "told_steps": TOLD,
        "needed": {name: NEEDED[n] for name, n in LAYERS.items()},
        "runs": {name: _sent(name) for name in LAYERS},
        "floor": float(np.log(N_SYMBOLS)),
    },
    compute=_compute,
    still=lambda state, now: still.one_moment(
        state["step"],
        LETTERS,
        now.weights,
        NEEDED[LAYERS[state["layers"]]],
        {
            name: dict(zip(STEPS, run(state["layers"])[name], strict=True))
            for name in MEASURED[:2]
        },
        float(np.log(N_SYMBOLS)),
    ),
    title="What each letter looks at while a model learns to copy, and its loss",
    summary={
        "one layer": (*LOSSES, f"{MEAN}{COPY % 0}."),
        "two layers": (
            *LOSSES,
            f"{MEAN}to the letter before {{means.0:.2f}}, in layer 1 {COPY % 1}.",
        ),
    },
    tables=(
        Matrix(
            "Weights: each letter looks at itself and those before",
            "queries",
            "places",
            "rows",
            none="",
        ),
        Table(
            "Losses by steps of training",
            "told_steps",
            *(
                Line(header, f"told.{i}", ".1f")
                for i, header in enumerate(
                    ("loss on new letters", "on repeated ones", "of these right")
                )
            ),
        ),
    ),
    said={
        "one layer": (f"mean weight {COPY % 0}", *SHORT),
        "two layers": (
            "layer 0: mean weight {means.0:.2f} on the letter before",
            f"layer 1: {COPY % 1}",
            *SHORT,
        ),
    },
)
