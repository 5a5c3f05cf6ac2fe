"""A decoder layer, drawn: its words see what came before, then what was read."""

import numpy as np

from ..kit.picture import (
    COLORS,
    INK,
    KEY,
    QUERY,
    VALUE,
    WEIGHTS,
    panels,
    picture,
)
from .still import box, detour

START, SELF, CROSS, NETWORK, END = 0.0, (0.75, 2.05), (3.05, 4.35), (5.35, 6.45), 7.5
STEPS = (SELF, CROSS, NETWORK)
DETOUR = 0.36  # how far above a word's own line what is added runs
LETTERS = 9


@picture
def decoder_layer(written, read):
    """Draw a decoder layer: three steps, each added to the words' own lines.

    Parameters
    ----------
    written : sequence of str
        Their lines run through the layer.
    read : sequence of str
        Their rows are given: cross-attention alone sees them.
    """
    high = len(written) + 0.6 * len(read) + 1.3
    figure, axis = panels(size=(7.2, 0.52 * high + 0.3))
    lines = np.arange(len(written))[::-1] * 1.0
    for y, word in zip(lines, written, strict=True):
        _line(axis, y, word)
    _between(axis, lines)
    _read(axis, lines, len(written) + 0.9 + 0.6 * np.arange(len(read))[::-1], read)
    for (left, right), name, color in zip(
        STEPS, ("masked\nself-attention", "cross-\nattention", "network"),
        (WEIGHTS, WEIGHTS, VALUE), strict=True,
    ):  # fmt: skip
        axis.text((left + right) / 2, -0.42, name, color=color, ha="center", va="top")
    axis.set(xlim=(-1.35, END + 0.1), ylim=(-1.35, high - 0.7))
    axis.set_axis_off()
    return figure, _words(written, read)


def _line(axis, y, word):
    """Draw one word's line, and the three ways around it."""
    arrow = {"arrowstyle": "->", "color": INK}
    axis.annotate("", (END, y), (START, y), arrowprops=arrow)
    axis.text(START - 0.08, y, word, ha="right", va="center", color=QUERY)
    for left, right in STEPS:
        xs = left - 0.45, left - 0.25, left, right, right + 0.5
        detour(axis, xs, y, y + DETOUR, size=10)
    box(axis, *NETWORK, y + DETOUR - 0.22, y + DETOUR + 0.22, VALUE)


def _between(axis, lines):
    """Let each word see itself and what stands above it."""
    left, right = SELF[0] + 0.12, SELF[1] - 0.12
    for y in lines:
        for other in lines[lines >= y]:
            ends = [left, right], [other + DETOUR, y + DETOUR]
            axis.plot(*ends, color=WEIGHTS, lw=0.8, alpha=0.8)
    for x in (SELF, CROSS):
        box(axis, *x, -0.05, lines[0] + 0.7, WEIGHTS)


def _read(axis, lines, above, read):
    """Let what was read come down into cross-attention, to each line."""
    bus, enter = CROSS[0] + 0.3, CROSS[1] - 0.12
    for y, word in zip(above, read, strict=True):
        axis.plot([START, bus], [y, y], color=COLORS["muted"], lw=1)
        axis.text(START - 0.08, y, word, ha="right", va="center", color=KEY)
    axis.plot([bus, bus], [above[0], lines[-1] + DETOUR], color=KEY, lw=1.4)
    for y in lines + DETOUR:
        axis.plot([bus, enter], [y, y], color=WEIGHTS, lw=0.8, alpha=0.8)
        axis.plot(bus, y, "o", ms=4, color=KEY)
    axis.text(bus + 0.12, above[-1], "R: keys and values", color=KEY, va="center")


def _words(written, read):
    return (
        f"A decoder layer. {len(written)} words that are written "
        f"({', '.join(written)}), each a line that runs straight through. First, "
        "masked self-attention: each takes from itself and the words before it. Then "
        f"cross-attention: each takes from the {len(read)} words that were read "
        f"({', '.join(read)}), whose lines come from outside and end there. Then a "
        "network, for each word by itself. What each step puts out is added to the "
        "word's line."
    )
