"""The live figure of the page on latent rows and states: what comes back."""

import numpy as np

from attncourse.toys import recall

from ..kit.controls import Check, Choice
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import choice
from ..kit.picture import MUTED, WEIGHTS, panels


def shares(found):
    """Draw a bar for each rule: the share of values that come back."""
    figure, axis = panels(1, 1, size=(6, 2.2))
    means, halves = np.array(list(found.values())).T
    places = np.arange(len(found))
    axis.barh(places, means, xerr=halves, color=WEIGHTS, ecolor=MUTED)
    axis.set_yticks(places, list(found))
    axis.invert_yaxis()
    axis.set(xlim=(0, 1), xlabel="share of values that come back")
    return figure


TIMES = ("once", "twice")


def _compute(n_pairs, twice):
    """Return by rule the mean share of 100 draws, and half of its 95% interval."""
    found = recall.load()[TIMES[twice]][str(n_pairs)]
    means, halves = zip(*found.values(), strict=True)
    return {"found": found, "means": means, "halves": halves, "times": TIMES[twice]}


panel = Figure(
    __file__,
    controls={
        "n_pairs": Choice("Pairs written", 16, recall.PAIRS, look=choice),
        "twice": Check("Write each key a second time, with a new value", False),
    },
    data=lambda: {
        "names": tuple(recall.RULES),
        "shares": {times: recall.load()[times] for times in TIMES},
    },
    compute=_compute,
    still=lambda _, now: shares(now["found"]),
    title="Share of written values that come back",
    summary="{n_pairs} pairs, each key written {times}, the newest wanted.",
    tables=Table(
        "Share that comes back",
        "names",
        Line("mean", "means"),
        Line("half of its interval", "halves", ".3f"),
        upright=False,
    ),
    said=tuple(f"{{names.{j}}} {{means.{j}:.2f}}" for j in range(4)),
)
