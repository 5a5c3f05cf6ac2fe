"""Live figure: rotary pairs at a distance, and at a neighbor's, stretched or not."""

from typing import Any, NamedTuple

import numpy as np

from attncourse.toys.echoes.seeds import LENGTHS, STRETCHES, stretched

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Description, Line, Table
from . import still

TRAINED = LENGTHS[0] - 1  # the largest distance in training
TIMES = LENGTHS[-1] // LENGTHS[0]
SPEEDS = {kind: stretched(kind, TIMES) for kind in STRETCHES}
N_PAIRS = len(SPEEDS["none"])
ARCS = np.minimum(TRAINED * SPEEDS["none"] / (2 * np.pi), 1)


class Turned(NamedTuple):
    """For each pair, in turns: where it stands, and one token on; whether that is new.

    Also how many are new, and how far the fastest pair turns in a token, in radians.
    """

    turns: Any
    near: Any
    new: Any
    n_new: int
    step: float
    case: str


def _turn(distance, kind):
    speeds = SPEEDS[kind] / (2 * np.pi)
    turns = distance * speeds % 1
    new = turns > ARCS + 1e-9
    n_new, step = int(new.sum()), float(SPEEDS[kind][0])
    return Turned(turns, speeds, new, n_new, step, "some" if n_new else "none")


AT = "At a distance of {distance}, stretch: {kind}."
STEP = "One token turns the fastest pair by {step:.3f} radians."
panel = Figure(
    "stretch",
    __file__,
    controls={
        "distance": Slider("Distance", 20, 1, TRAINED * TIMES, 1),
        "kind": Choice("Stretch", "none", STRETCHES),
    },
    data=lambda: {
        "pairs": [f"pair {i}" for i in range(N_PAIRS)],
        "arcs": ARCS,
        "speeds": SPEEDS,
        "trained": TRAINED,
    },
    compute=_turn,
    still=lambda _, now: still.dials(now, ARCS),
    describe=Description(
        "Where rotary pairs stand at a distance, and where training had them",
        {
            "some": (AT, "{n_new} of 16 pairs stand where they never did.", STEP),
            "none": (AT, "All 16 pairs stand where training had them.", STEP),
        },
        (
            Table(
                "In turns: where training had each pair, and where it stands",
                "pairs",
                (
                    Line("in training up to", "arcs", ".4f"),
                    Line("now", "turns", ".4f"),
                    Line("new", "new", source="turns"),
                    Line("a neighbor", "near", ".4f"),
                ),
                upright=True,
            ),
        ),
        said=("{n_new} of 16 pairs new", "a token turns the fastest by {step:.3f}"),
    ),
)
