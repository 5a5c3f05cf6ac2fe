"""Live figure: who gets the attention, if a word asks for the clock before its own."""

from types import SimpleNamespace

import numpy as np

from attnlib import sinusoidal_positional_encoding, softmax

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.picture import KEY, MUTED, WEIGHTS, panels

HANDS = 32  # of the clock; the fastest n of them are compared
SCORE = 48  # of the clock that matches
WORDS = 1000  # of which the one in the middle asks
NEAR, LAST = 8, WORDS // 2  # distances
LINE = 1 - 6 / SCORE  # a match above it gets 1/403 of what the best gets, or more
NAMES = ("the word before", "its two neighbors", f"the other {WORDS - 3}")


def _found(hands):
    """Return how each clock matches the one asked for, by distance, and who gets what.

    A match is a share of the best score. The rival is the best match of all distances
    but 0; `case` says whether one is above the line, and where it stands.
    """
    clocks = sinusoidal_positional_encoding(LAST + 1, 2 * HANDS)[:, : 2 * hands]
    matches = clocks @ clocks[0] / hands
    rival = 1 + int(matches[1:].argmax())
    far = NEAR + 1 + int(matches[NEAR + 1 :].argmax())
    weights = softmax(SCORE * np.concatenate([matches[:0:-1], matches[:LAST]]))[::-1]
    shares = weights[LAST - 1], weights[LAST - 2 : LAST + 1 : 2].sum()
    above = "near" if rival <= NEAR else "far"
    return SimpleNamespace(
        near=matches[: NEAR + 1],
        far=matches[NEAR + 1 :],
        rival=rival,
        best=float(matches[rival]),
        farthest=far,
        at_farthest=float(matches[far]),
        weights=np.array([*shares, 1 - sum(shares)]),
        case=above if matches[rival] > LINE else "none",
    )


def _drawn(state, now):
    """Draw the matches, near and far, and the three shares below them."""
    figure, axes = panels(1, 3, size=(7.2, 2.6), phone=6.2, width_ratios=[1, 1.6, 1.4])
    near, far, bars = axes
    for axis in near, far:
        axis.axhspan(LINE, 1, color=KEY, alpha=0.15, lw=0)
        axis.set(ylim=(0, 1.05), yticks=[0, 1])
    near.plot(now.near, "o", color=WEIGHTS, ms=4, clip_on=False)
    far.plot(range(NEAR + 1, LAST + 1), now.far, color=MUTED, lw=0.7)
    at = near if now.rival <= NEAR else far
    at.plot(now.rival, now.best, "o", color=KEY, ms=6)
    near.set(title="Match", xlabel="words away", xticks=[0, NEAR])
    far.set(title="and far off", xlabel="words away", xticks=[NEAR + 1, LAST])
    bars.barh(NAMES, now.weights, 0.5, color=WEIGHTS)
    for row, share in enumerate(now.weights):
        bars.text(share, row, f" {share:.3f}", va="center", fontsize=9)
    bars.invert_yaxis()
    bars.set(xlim=(0, 1.3), xticks=[], title=f"Attention, {state['hands']} hands")
    return figure


GETS = "With the {hands} fastest hands, the word before gets {weights.0:.3f}."
panel = Figure(
    __file__,
    controls={"hands": Slider("Hands compared", 2, 2, HANDS, 1)},
    data=lambda: {
        "sizes": (HANDS, SCORE, NEAR, LAST),
        "line": LINE,
        "names": NAMES,
        "distances": list(range(NEAR + 1)),
    },
    compute=_found,
    still=_drawn,
    solved={"hands": 8},
    title="Who gets the attention, by how many hands are compared",
    summary={
        "near": (GETS, "Its neighbors match too well: {best:.2f}."),
        "far": (GETS, "A word {rival} away matches too well: {best:.2f}."),
        "none": (
            GETS,
            "Every rival is below the strip: the best matches to {best:.2f}.",
        ),
    },
    tables=(
        Table(
            "How well clocks match the one asked for, by words from the word before",
            "distances",
            Line("match", "near"),
        ),
        Table(
            f"The best match {NEAR + 1} words away or more",
            "farthest",
            Line("match", "at_farthest"),
        ),
        Table("Who gets the attention", "names", Line("weight", "weights", ".3f")),
    ),
    said=(
        "{hands} hands: word before {weights.0:.3f}",
        "strongest rival at distance {rival}: {best:.2f}",
    ),
)
