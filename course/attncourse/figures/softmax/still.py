"""Still picture of lesson 4: scores, their exponentials, and the whole they share."""

import numpy as np

from ..kit.picture import KEY, MUTED, WEIGHTS, panels

FADES = (0.6, 0.4, 0.22)


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
    rows = zip(words, scores, exponentials, FADES, strict=True)
    for word, score, height, fade in rows:
        axis.vlines(score, 0, height, color=WEIGHTS, lw=9, alpha=fade)
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
        text = f"{word} {weight:.3f}" if weight > 0.15 else f"{weight:.3f}"
        axis.text(start + weight / 2, 0, text, ha="center", va="center", fontsize=9)
        start += weight
    axis.set(xlim=(0, 1), yticks=[], xticks=[], title="shares of 1")
    axis.spines[["left", "bottom"]].set_color(MUTED)
