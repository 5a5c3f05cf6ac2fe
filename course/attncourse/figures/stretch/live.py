"""Live figure: rotary pairs at a distance, and at a neighbor's, stretched or not."""

from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Circle, Wedge

from attncourse.toys.echoes.seeds import LENGTHS, STRETCHES, stretched

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.picture import KEY, MUTED, QUERY, panels

ACROSS = 8


def dials(now, arcs):
    """Draw where each pair stands, and where training had it."""
    figure, axis = panels(size=(6.4, 2.2), phone=1.5)
    for i, (arc, turn, near, new) in enumerate(
        zip(arcs, now.turns, now.near, now.new, strict=True)
    ):
        x, y = 2.4 * (i % ACROSS), -3.2 * (i // ACROSS)
        color = KEY if new else QUERY
        axis.add_patch(Wedge((x, y), 1, 90 - 360 * arc, 90, color=MUTED, alpha=0.3))
        axis.add_patch(
            Circle((x, y), 1, fill=False, color=color, lw=1.6 if new else 0.6)
        )
        for angle, look in ((near, (MUTED, 1)), (turn, (color, 2))):
            tip = np.sin(2 * np.pi * angle), np.cos(2 * np.pi * angle)
            axis.plot([x, x + tip[0]], [y, y + tip[1]], color=look[0], lw=look[1])
        axis.text(x, y - 1.2, i, ha="center", va="top", fontsize=9)
    axis.set(aspect="equal", xticks=[], yticks=[])
    axis.set(xlim=(-1.2, 2.4 * ACROSS - 1.2), ylim=(-5.2, 1.2))
    axis.spines[:].set_visible(False)
    return figure


TRAINED = LENGTHS[0] - 1  # the largest distance in training
TIMES = LENGTHS[-1] // LENGTHS[0]
SPEEDS = {kind: stretched(kind, TIMES) for kind in STRETCHES}
N_PAIRS = len(SPEEDS["none"])
ARCS = np.minimum(TRAINED * SPEEDS["none"] / (2 * np.pi), 1)


def _turn(distance, kind):
    """Return where each pair stands, in turns, and a token on; whether that is new.

    Also how many are new, and how far the fastest pair turns in a token, in radians.
    """
    speeds = SPEEDS[kind] / (2 * np.pi)
    turns = distance * speeds % 1
    new = turns > ARCS + 1e-9
    n_new, step = int(new.sum()), float(SPEEDS[kind][0])
    return SimpleNamespace(
        turns=turns,
        near=speeds,
        new=new,
        n_new=n_new,
        step=step,
        case="some" if n_new else "none",
    )


AT = "At a distance of {distance}, stretch: {kind}."
STEP = "One token turns the fastest pair by {step:.3f} radians."
panel = Figure(
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
    still=lambda _, now: dials(now, ARCS),
    title="Where rotary pairs stand at a distance, and where training had them",
    summary={
        "some": (AT, "{n_new} of 16 pairs stand where they never did.", STEP),
        "none": (AT, "All 16 pairs stand where training had them.", STEP),
    },
    tables=Table(
        "In turns: where training had each pair, and where it stands",
        "pairs",
        Line("in training up to", "arcs", ".4f"),
        Line("now", "turns", ".4f"),
        Line("new", "new", source="turns"),
        Line("a neighbor", "near", ".4f"),
    ),
    said=("{n_new} of 16 pairs new", "a token turns the fastest by {step:.3f}"),
)
