"""Still pictures of lesson 8: a layer, and what its network does to a number."""

import numpy as np
from matplotlib.patches import FancyBboxPatch

from attncourse.story import layers
from attnlib import feed_forward

from ..kit.picture import INK, MUTED, QUERY, VALUE, WEIGHTS, panels, picture

ATTENTION, ADDED, NETWORK, OUT = (1.15, 2.45), 3.0, (3.9, 5.2), 5.75
DETOUR = 0.34  # how far above a word's own line what is added runs


@picture
def layer(words):
    """Draw a layer: attention joins the words' lines, the network stays on each.

    Parameters
    ----------
    words : sequence of str
    """
    figure, axis = panels(size=(7.2, 0.62 * len(words) + 0.9))
    lines = np.arange(len(words))[::-1]
    for y, word in zip(lines, words, strict=True):
        _word(axis, y, word)
    left, right = ATTENTION
    for y in lines:
        for other in lines:
            ends = [left + 0.12, right - 0.12], [y + DETOUR, other + DETOUR]
            axis.plot(*ends, color=WEIGHTS, lw=0.8, alpha=0.8)
    box(axis, left, right, -0.05, len(words) - 0.3, WEIGHTS)
    top = len(words) - 0.15
    head = {"ha": "center", "va": "bottom", "fontsize": 10}
    axis.text((left + right) / 2, top, "attention", color=WEIGHTS, **head)
    axis.text(sum(NETWORK) / 2, top, "network", color=VALUE, **head)
    for x in (ADDED, OUT):
        axis.text(x, top, "add", color=INK, **head)
    axis.set(xlim=(-0.75, 6.6), ylim=(-0.4, len(words) + 0.25))
    axis.set_axis_off()
    return figure, (
        f"A layer. {len(words)} words ({', '.join(words)}), each a line that runs "
        "straight through. Attention takes from every line, mixes them, and what it "
        "puts out is added to each. Then a network takes from each line by itself, "
        "and what it puts out is added to the same line."
    )


@picture
def tidied():
    """Draw what the network puts out for a number, and what the sum makes of it."""
    numbers = np.linspace(-0.4, 1.4, 181)
    put_out = feed_forward(numbers[:, None], *layers.tidy(1))[:, 0]
    figure, axis = panels(size=(4.6, 2.7))
    axis.axhline(0, color=MUTED, lw=0.8)
    axis.plot(numbers, put_out, color=VALUE, lw=1.4, ls="--")
    axis.plot(numbers, numbers + put_out, color=INK, lw=2)
    axis.text(0.66, 1.06, "after the sum", color=INK, va="bottom")
    axis.text(0.62, 0.42, "what it puts out", color=VALUE)
    axis.set(xlabel="a number of the row", xticks=(0, 0.4, 0.6, 1))
    axis.set(ylim=(-0.5, 1.3), yticks=(0, 1))
    return figure, (
        "For a number of the row, what the network puts out, and what is there after "
        "the sum. From 0 to 0.4 it puts out the number with a minus, and the sum is 0. "
        "From 0.4 to 0.6 the sum rises to 1, and there it stays."
    )


def _word(axis, y, word):
    """Draw one word's line, its network, and what is added to it."""
    axis.annotate("", (6.5, y), (0, y), arrowprops={"arrowstyle": "->", "color": INK})
    axis.text(-0.08, y, word, ha="right", va="center", color=QUERY)
    for start, (left, right), end in (
        (0.6, ATTENTION, ADDED),
        (ADDED + 0.35, NETWORK, OUT),
    ):
        detour(axis, (start, start + 0.2, left, right, end), y, y + DETOUR, size=11)
    box(axis, *NETWORK, y + DETOUR - 0.22, y + DETOUR + 0.22, VALUE)


def detour(axis, xs, y, up, size):
    """Draw the way off a line at y, up to a step, and back to the plus at its end."""
    start, rise, left, right, end = xs
    axis.plot([start, rise, left], [y, up, up], color=MUTED, lw=1)
    axis.plot([right, end - 0.2, end - 0.08], [up, up, y + 0.1], color=MUTED, lw=1)
    axis.plot(end, y, "o", ms=size, mfc="none", mec=INK)
    axis.plot(end, y, "|", ms=size, mec=INK)  # the line makes the plus's other stroke


def box(axis, left, right, foot, top, color):
    """Draw the outline of a step."""
    look = {"boxstyle": "round,pad=0,rounding_size=0.08", "lw": 1.2}
    box = FancyBboxPatch((left, foot), right - left, top - foot, **look)
    box.set(facecolor="none", edgecolor=color)
    axis.add_patch(box)
