"""Lesson 4's live figure: drag three scores, and see how the keys share the weight."""

from types import SimpleNamespace

import numpy as np

import attnlib

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.picture import KEY, MUTED, WEIGHTS, panels

FADES = (0.38, 0.25, 0.14)  # of bars, on which dark and light letters stand


def shares(words, scores, exponentials, weights):
    """Draw three scores as lengths, their exponentials as heights, and the shares."""
    figure, (curve, whole) = panels(
        2, 1, size=(5.6, 4.4), gridspec_kw={"height_ratios": [5, 1]}
    )
    _curve(curve, words, scores, exponentials)
    _strip(whole, words, weights)
    return figure


def _curve(axis, words, scores, exponentials):
    low, high = min(*scores, -2) - 1, max(*scores, 1) + 0.5
    across = np.linspace(low, high, 200)
    axis.plot(across, np.exp(across), color=WEIGHTS)
    for word, score, height in zip(words, scores, exponentials, strict=True):
        axis.vlines(score, 0, height, color=WEIGHTS, lw=9, alpha=0.75)
        text = f"{word} {height:.3g} "
        axis.annotate(
            text, (score, height), (-6, 3), textcoords="offset points", ha="right"
        )
        axis.plot(score, height, "o", color=KEY)
    axis.set(xlim=(low, high), ylim=(0, 1.15 * max(exponentials)))
    axis.set(title="e to the power of the score", xlabel="score")


def _strip(axis, words, weights):
    start = 0.0
    for word, weight, fade in zip(words, weights, FADES, strict=True):
        axis.barh(0, weight, left=start, color=WEIGHTS, alpha=fade)
        axis.barh(0, weight, left=start, fill=False, edgecolor=WEIGHTS)
        text = f"{word} {weight:.3f}" if weight > 0.15 else f"{weight:.3f}"
        axis.text(start + weight / 2, 0, text, ha="center", va="center", fontsize=9)
        start += weight
    axis.set(xlim=(0, 1), yticks=[], xticks=[], title="shares of 1")
    axis.spines[["left", "bottom"]].set_color(MUTED)


WORDS = ("dog", "food", "it")
LEADS = "The score of {words.0} minus that of {words.1} is {lead:.1f}."
TELLS = "So its share is {times:r} times as large: e to the power of {lead:.1f}%s."


def _shares(scores, added, temperature):
    """Return what softmax makes of three scores: moved, tempered, and so on."""
    moved = np.array(scores) + added
    tempered = moved / temperature
    weights = attnlib.softmax(tempered)
    lead, times = moved[0] - moved[1], weights[0] / weights[1]
    return SimpleNamespace(
        moved=moved,
        scores=tempered,
        exponentials=np.exp(tempered),
        weights=weights,
        lead=lead,
        times=times,
        case="plain" if temperature == 1 else "tempered",
    )


panel = Figure(
    __file__,
    controls={
        "scores": Slider(
            "Scores",
            (2.0, 1.0, 0.0),
            -4.0,
            4.0,
            0.1,
            form=".1f",
            place="exact",
            each={f"score_{j}": f"Score of {word}" for j, word in enumerate(WORDS, 1)},
        ),
        "added": Slider("Added to all", 0.0, -2.0, 2.0, 0.1, form=".1f", place="exact"),
        "temperature": Slider("Temperature", 1.0, 0.25, 5.0, 0.05, place="below"),
    },
    solved={"added": 2.0},
    data=lambda: {"words": WORDS},
    compute=_shares,
    still=lambda _, now: shares(WORDS, now.scores, now.exponentials, now.weights),
    sound={"weights": "weights", "scores": "scores", "sweep": True},
    title="Three scores, their exponentials, and the shares that softmax makes of them",
    summary={
        "plain": (LEADS, TELLS % ""),
        "tempered": (LEADS, TELLS % " ÷ {temperature:.2f}"),
    },
    tables=Table(
        "From score to share",
        "words",
        Line("score", "moved", ".1f"),
        Line("score ÷ T", "scores", source="moved"),
        Line("exponential", "exponentials", "r", source="scores"),
        Line("share", "weights", ".3f", source="exponentials"),
        shown=True,
        upright=False,
    ),
    said=(
        "{words.0} gets {weights.0:.3f}, {times:r} times {words.1}",
        *(f"{{words.{j}}} {{weights.{j}:.3f}}" for j in (1, 2)),
    ),
)
