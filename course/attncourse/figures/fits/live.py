"""Live figure: a network of two hidden numbers, and which noun its adjective fits."""

from types import SimpleNamespace

import numpy as np

from ..kit.controls import Check, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.grids import grid
from ..kit.picture import WEIGHTS, panels

# Columns: alive, edible, says alive, says edible.
PAIRS = {
    "hungry dog": (1, 0, 1, 0),
    "delicious food": (0, 1, 0, 1),
    "hungry food": (0, 1, 1, 0),
    "delicious dog": (1, 0, 0, 1),
}
COLUMNS = ("alive?", "edible?", "fits")
W_1 = ((1, 0), (0, 1), (1, 0), (0, 1))
WANTED = (1, 1, 0, 0)


def table(now):
    """Draw the hidden numbers of each pair, and their sum."""
    figure, axis = panels(size=(4.2, 3.2))
    numbers = np.column_stack([now.alive, now.edible, now.fits])
    look = {"most": 2, "text": "{:.2f}", "color": WEIGHTS}
    grid(axis, numbers, rows=list(PAIRS), columns=COLUMNS, **look)
    return figure


def _pass(bias, relu):
    """Return the hidden numbers of each pair, their sum, and how far that is right."""
    hidden = np.array(list(PAIRS.values()), float) @ np.array(W_1, float) + bias
    if relu:
        hidden = np.maximum(0, hidden)
    fits = hidden.sum(axis=1)
    even = "same" if relu else "off"
    case = even if np.ptp(fits) < 1e-9 else "apart"
    case = "right" if np.allclose(fits, WANTED) else case
    return SimpleNamespace(
        alive=hidden[:, 0], edible=hidden[:, 1], fits=fits, case=case
    )


panel = Figure(
    __file__,
    controls={
        "bias": Slider("Bias", 0.0, -2.0, 1.0, 0.25),
        "relu": Check("ReLU", default=True),
    },
    solved={"bias": -1.0},
    data=lambda: {
        "pairs": list(PAIRS),
        "rows": list(PAIRS.values()),
        "columns": COLUMNS,
        "w_1": W_1,
        "wanted": WANTED,
    },
    compute=_pass,
    still=lambda _, now: table(now),
    title="Two hidden numbers, and what they say of four pairs",
    summary={
        "same": ("All four pairs get {fits.0:.2f}.",),
        "off": (
            "All four pairs get {fits.0:.2f}.",
            "Without ReLU, they are equal at every bias.",
        ),
        "apart": ("A pair that fits gets {fits.0:.2f}, another {fits.2:.2f}.",),
        "right": ("Pairs that fit get {fits.0:.2f}, the others {fits.2:.2f}.",),
    },
    tables=Table(
        "Hidden numbers of each pair, and their sum",
        "pairs",
        Line("alive and says alive", "alive", ".2f"),
        Line("edible and says edible", "edible", ".2f"),
        Line("fits", "fits", ".2f", source="alive"),
    ),
    said={
        "same": ("All four get {fits.0:.2f}",),
        "off": ("All four get {fits.0:.2f}", "without ReLU, equal at every bias"),
        "apart": ("Pairs that fit {fits.0:.2f}, the others {fits.2:.2f}",),
        "right": ("Pairs that fit {fits.0:.2f}, the others {fits.2:.2f}",),
    },
)
