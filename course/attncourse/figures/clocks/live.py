"""Lesson 7's second figure: two positions on two clocks, moved together."""

from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Circle

from attnlib import sinusoidal_positional_encoding

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.picture import MUTED, QUERY, WEIGHTS, panels


def dials(pair):
    """Draw the hands of two positions, a clock face for each pair of columns."""
    n_hands = pair.encodings.shape[-1] // 2
    figure, axes = panels(1, n_hands, size=(2 * n_hands, 2.1))
    tips = pair.encodings.reshape(2, n_hands, 2)
    for i, axis in enumerate(axes):
        _dial(axis, tips[:, i])
        axis.set_title(f"apart by {pair.turns[i]:.3f}", fontsize=10)
    return figure


def _dial(axis, tips):
    """Draw a clock face: a hand's tip is (sine, cosine), so 0 points straight up."""
    axis.add_patch(Circle((0, 0), 1, fill=False, color=MUTED, lw=0.8))
    (x, y), (later_x, later_y) = tips
    axis.plot([0, x], [0, y], color=QUERY, lw=2)
    axis.plot([0, later_x], [0, later_y], color=WEIGHTS, lw=2)
    axis.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
    axis.spines[:].set_visible(False)


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
    still=lambda _, now: dials(now),
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
