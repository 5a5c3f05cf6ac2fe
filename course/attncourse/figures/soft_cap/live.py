"""Live figure: a score grows under a soft cap, and what becomes of the weights."""

from types import SimpleNamespace

import numpy as np

from attnlib import attention_weights

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import choice
from ..kit.picture import INK, MUTED, QUERY, WEIGHTS, panels

WORDS = ("dog", "food", "because", "ate", "the")
OTHERS = (40.0, 20.0, 0.0, -20.0)
CAPS = (10, 20, 30, 50, 100)
LEAST, MOST, HIGH = -20, 200, 100  # scores, and how high the drawing reaches


def bend(now, cap):
    """Draw the cap's curve with a dot for each word, and the weights beside it."""
    figure, (curve, bars) = panels(1, 2, size=(6.4, 2.4), phone=4.4)
    line = np.linspace(LEAST, MOST, 200)
    curve.plot([LEAST, HIGH], [LEAST, HIGH], color=MUTED, ls=":", lw=1)
    curve.axhline(cap, color=MUTED, lw=0.8)
    curve.plot(line, cap * np.tanh(line / cap), color=QUERY)
    curve.scatter(now.scores, now.capped, s=[40, 12, 12, 12, 12], color=QUERY)
    curve.set(xlabel="score", ylabel="capped", ylim=(LEAST, HIGH + 5))
    rows = np.arange(len(WORDS))
    bars.barh(rows - 0.2, now.plain, 0.35, color=MUTED, alpha=0.75)
    bars.barh(rows + 0.2, now.weights, 0.35, color=WEIGHTS)
    for row, weight in enumerate(now.weights):
        bars.text(weight, row + 0.2, f" {weight:.3f}", va="center", color=INK, size=9)
    bars.set_yticks(rows, WORDS)
    bars.invert_yaxis()
    bars.set(xlim=(0, 1.2), xlabel="weight: gray without the cap")
    return figure


def _row(scores, cap=None):
    keys = np.array(scores)[:, None]
    return attention_weights([[1.0]], keys, scale=1, softcap=cap)[0]


def _cap(score, cap):
    """Return for each word: score, capped score, weight without and with the cap.

    Also the largest weight that the first can get, and the slope of the cap at it.
    """
    scores = np.array([score, *OTHERS])
    most = _row([1e9, *OTHERS], cap)[0]
    slope = 1 - np.tanh(score / cap) ** 2
    return SimpleNamespace(
        scores=scores,
        capped=cap * np.tanh(scores / cap),
        plain=_row(scores),
        weights=_row(scores, cap),
        most=float(most),
        slope=float(slope),
    )


panel = Figure(
    __file__,
    controls={
        "score": Slider("Score of dog", 60, LEAST, MOST, 1),
        "cap": Choice("Cap", 30, CAPS, look=choice),
    },
    data=lambda: {"words": WORDS, "others": OTHERS, "range": (LEAST, MOST, HIGH)},
    compute=_cap,
    still=lambda state, now: bend(now, state["cap"]),
    title="A score under a soft cap, and the weights that come of it",
    summary=(
        "“dog” scores {score}, which a cap of {cap} makes {capped.0:.1f}: its "
        "weight is {weights.0:.3f}, without the cap {plain.0:.3f}.",
        "However large its score, it gets no more than {most:.3f}.",
        "The slope of the cap there is {slope:.3f}.",
    ),
    tables=Table(
        "Scores and weights of five words",
        "words",
        Line("score", "scores", ".0f"),
        Line("capped", "capped", ".1f", source="scores"),
        Line("weight", "weights", ".3f", source="capped"),
        Line("without", "plain", ".3f", source="scores"),
    ),
    said=(
        "dog {weights.0:.3f}, without the cap {plain.0:.3f}",
        "no more than {most:.3f}",
        "slope {slope:.3f}",
    ),
)
