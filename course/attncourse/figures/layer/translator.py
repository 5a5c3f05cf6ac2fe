"""Encoder and decoder in one picture: two stacks, and the rows that go across."""

from ..kit.picture import (
    INK,
    KEY,
    MUTED,
    QUERY,
    VALUE,
    WEIGHTS,
    on_phone,
    panels,
    picture,
)
from .still import box

ENCODER, DECODER = (-0.1, 2.3), (4.1, 6.9)  # from the left to the right of each stack
N_LAYERS = 2  # of each stack
HIGH, GAP, BETWEEN = 0.62, 0.24, 0.55  # of a step; between steps; between layers
STEPS = {
    "self-attention": WEIGHTS,
    "masked self-attention": WEIGHTS,
    "cross-attention": KEY,
    "network": VALUE,
}


@picture
def translator(read, written, answers):
    """Draw two stacks of layers, and where the one asks the other.

    Parameters
    ----------
    read, written : sequence of str
        Lines: what the encoder gets, and what the decoder has written so far.
    answers : str
        What comes out above the decoder.
    """
    figure, axis = panels(size=(6.4, 5.0), phone=4.6)
    tops, _ = _stack(axis, ENCODER, ["self-attention", "network"], read)
    steps = ["masked self-attention", "cross-attention", "network"]
    ends, asks = _stack(axis, DECODER, steps, written)
    middle = sum(DECODER) / 2
    _up(axis, middle, ends, ends + 0.5)
    axis.text(middle, ends + 0.6, answers, ha="center", va="bottom", color=INK)
    across = (ENCODER[1] + DECODER[0]) / 2
    _up(axis, sum(ENCODER) / 2, tops, tops + 0.5)
    axis.text(sum(ENCODER) / 2, tops + 0.6, "R", ha="center", va="bottom", color=KEY)
    start = sum(ENCODER) / 2 + 0.25
    axis.plot([start, across], [tops + 0.75] * 2, color=KEY, lw=1.6)
    low, high = min(asks), max(*asks, tops + 0.75)
    axis.plot([across, across], [low, high], color=KEY, lw=1.6)
    for y in asks:
        arrow = {"arrowstyle": "->", "color": KEY, "lw": 1.6}
        axis.annotate("", (DECODER[0], y), (across, y), arrowprops=arrow)
    note = {"ha": "center", "va": "bottom", "color": KEY, "fontsize": 9}
    axis.text(across, high + 0.08, "keys,\nvalues", **note)
    axis.set(xlim=(-0.6, 7.4), ylim=(-0.85, ends + 1.1))
    axis.set_axis_off()
    return figure, _words(read, written, answers)


def _stack(axis, place, steps, words):
    """Draw one stack; return where it ends, and the middle of each cross-attention."""
    (left, right), y, asks = place, 0.5, []
    middle = (left + right) / 2
    axis.text(middle, -0.05, "\n".join(words), ha="center", va="top", color=QUERY)
    for layer in range(N_LAYERS):
        _up(axis, middle, y - 0.5 if not layer else y - BETWEEN, y)
        foot = y
        for n, name in enumerate(steps):
            if n:
                _up(axis, middle, y - GAP, y)
            box(axis, left, right, y, y + HIGH, STEPS[name])
            look = {"ha": "center", "va": "center", "fontsize": 9}
            text = name.replace(" ", "\n") if on_phone() else name
            axis.text(middle, y + HIGH / 2, text, color=STEPS[name], **look)
            if name == "cross-attention":
                asks.append(y + HIGH / 2)
            y += HIGH + GAP
        y -= GAP
        _side(axis, place, foot, y, f"layer {layer + 1}")
        y += BETWEEN
    return y - BETWEEN, asks


def _side(axis, place, foot, top, name):
    """Name a layer at the outer side of its stack."""
    x, turn = (place[0] - 0.3, 90) if place is ENCODER else (place[1] + 0.3, -90)
    look = {"ha": "center", "va": "center", "fontsize": 9, "rotation": turn}
    axis.text(x, (foot + top) / 2, name, color=MUTED, **look)


def _up(axis, x, low, high):
    arrow = {"arrowstyle": "->", "color": INK}
    axis.annotate("", (x, high), (x, low), arrowprops=arrow)


def _words(read, written, answers):
    return (
        f"A translator. On the left the encoder: {' '.join(read)} passes {N_LAYERS} "
        "layers of self-attention and a network, and becomes R. On the right the "
        f"decoder: {' '.join(written)} passes {N_LAYERS} layers of masked "
        "self-attention, cross-attention and a network. Every cross-attention takes "
        f"its keys and values from the same R. Above the decoder stands {answers}."
    )
