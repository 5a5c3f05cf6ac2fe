"""Lesson 7's third figure: a clock is turned until it matches another word's."""

from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Circle

from ...story import in_order
from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.picture import KEY, MUTED, QUERY, panels

WORDS, ASKS, MOST = ("dog", "ate", "food"), 1, 2
CLOCKS = in_order.places(len(WORDS))[:, in_order.CLOCK]
SPEEDS = 1, 1 / 100  # radians that a step turns each hand
EQUAL = 1e-9


def _compute(steps):
    """Turn the clock that asks; return it, and how well each word's clock matches it.

    `fast` and `slow` say how far each word's hands are from the turned ones.
    """
    asked = CLOCKS[ASKS] @ in_order.rotation(steps)
    matches = CLOCKS @ asked
    away = abs(np.arange(len(WORDS)) - ASKS - steps)
    best = matches.max()
    matching = [w for w, m in zip(WORDS, matches, strict=True) if m > best - EQUAL]
    count = f"{abs(steps):g} {'step' if abs(steps) == 1 else 'steps'}"
    how = f"{count} {'back' if steps < 0 else 'ahead'}"
    return SimpleNamespace(
        asked=asked,
        fast=away * SPEEDS[0],
        slow=away * SPEEDS[1],
        matches=matches,
        best=" and ".join(matching),
        top=float(best),
        turned=f"turned {how}" if steps else "not turned",
    )


def _drawn(_, now):
    """Draw each word's clock, and dashed the one that asks."""
    figure, axes = panels(1, len(WORDS), size=(4.5, 1.9))
    for axis, word, clock, match in zip(axes, WORDS, CLOCKS, now.matches, strict=True):
        axis.add_patch(Circle((0, 0), 1, fill=False, color=MUTED, lw=0.8))
        for hands, color, line in ((clock, KEY, "-"), (now.asked, QUERY, "--")):
            for (x, y), long in zip(hands.reshape(-1, 2), (1, 0.55), strict=True):
                axis.plot([0, long * x], [0, long * y], line, color=color, lw=2)
        axis.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
        axis.set_title(f"{word}: {match:.2f}", fontsize=10, loc="center")
        axis.set_axis_off()
    return figure


panel = Figure(
    __file__,
    controls={"steps": Slider("Steps turned", 0.0, -MOST, MOST, 0.25)},
    data=lambda: {
        "words": WORDS,
        "clocks": CLOCKS,
        "asks": ASKS,
        "speeds": SPEEDS,
        "equal": EQUAL,
    },
    compute=_compute,
    still=_drawn,
    solved={"steps": -1.0},
    title="The clock of “ate”, turned, and how well three clocks match it",
    summary=(
        "The clock of “ate” is {turned}. It matches dog {matches.0:.2f}, ate "
        "{matches.1:.2f}, food {matches.2:.2f}."
    ),
    tables=Table(
        "How far hands are apart (radians), and how well clocks match (2 at most)",
        "words",
        Line("fast hands", "fast"),
        Line("slow hands", "slow", ".4f"),
        Line("match", "matches", source="fast"),
    ),
    said=(
        "best match: {best}, {top:.2f}",
        "dog {matches.0:.2f}, ate {matches.1:.2f}, food {matches.2:.2f}",
    ),
)
