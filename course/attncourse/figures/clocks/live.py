"""Lesson 7's second figure: two positions on two clocks, moved together."""

from types import SimpleNamespace

import numpy as np

from attnlib import sinusoidal_positional_encoding

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from . import still

D_MODEL, LAST, MOST = 4, 50, 50
HANDS = np.arange(D_MODEL // 2)


def _compute(position, step):
    """Return both encodings, (2, 4), and by how many radians each hand turns."""
    table = sinusoidal_positional_encoding(position + step + 1, D_MODEL)
    encodings = table[[position, position + step]]
    turns = step / 10_000 ** (2 * HANDS / D_MODEL)
    return SimpleNamespace(encodings=encodings, later=position + step, turns=turns)


panel = Figure(
    __file__,
    controls={
        "position": Slider("Position", 4, 0, LAST, 1, place="exact"),
        "step": Slider("Step", 3, 0, MOST, 1, place="exact"),
    },
    data=lambda: {
        "sizes": (D_MODEL, LAST, MOST),
        "hands": [f"hand {i}" for i in HANDS],
    },
    compute=_compute,
    still=lambda _, now: still.dials(now),
    title="Two positions, each with the two hands of its clock",
    summary=(
        "From position {position} to {later}, hand 0 turns by {turns.0:.3f} and hand 1 "
        "by {turns.1:.3f}."
    ),
    tables=Table(
        "By how much each hand turns between the two (radians)",
        "hands",
        Line("turn", "turns", ".3f"),
        upright=False,
    ),
    said=(
        "positions {position} and {later}",
        "hand 0 turns {turns.0:.3f}, hand 1 {turns.1:.3f}",
    ),
)
