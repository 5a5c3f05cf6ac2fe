"""Live figure: scores, weights and output of “hungry”, and the gradient of each."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from attncourse import story
from attnlib import softmax, softmax_vjp

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import numbers
from ..kit.picture import INK, MUTED, VALUE, WEIGHTS, panels

ROWS = (("score", "scores", INK), ("weight", "weights", WEIGHTS))


def both_ways(now, words, values):
    """Draw each number on the way forward, and below it its gradient."""
    figure, axis = panels(size=(5.2, 3.4), phone=3.6)
    axis.set(xlim=(-1.1, len(words) - 0.4), ylim=(6.6, -0.7))
    axis.set_axis_off()
    write = {"ha": "center", "va": "center", "fontsize": 9}
    for j, word in enumerate(words):
        axis.text(j, -0.3, word, color=MUTED, **write)
        for top, (_, name, color) in zip((0.7, 2.7), ROWS, strict=True):
            axis.text(j, top, f"{getattr(now, name)[j]:.2f}", color=color, **write)
            slope = f"∇ {getattr(now, f'of_{name}')[j]:.3f}".replace("-", "−")
            axis.text(j, top + 0.6, slope, style="italic", **write)
        pair = f"({values[j][0]:g}, {values[j][1]:g})"
        axis.text(j, 4.7, pair, color=VALUE, **write)
        axis.text(j, 2, "↓  ↑", color=MUTED, **write)
        axis.text(j, 4, "↓  ↑", color=MUTED, **write)
    for top, name in ((0.7, "score"), (2.7, "weight"), (4.7, "value")):
        axis.text(-0.75, top, name, color=MUTED, **write)
    output = f"output ({now.output[0]:.2f}, {now.output[1]:.2f}), loss {now.loss:.3f}"
    slope = f"∇ ({now.of_output[0]:.2f}, {now.of_output[1]:.2f})".replace("-", "−")
    axis.text(2, 5.7, output, **write)
    axis.text(2, 6.3, slope, style="italic", **write)
    return figure


WORDS = tuple(story.sentence("hungry"))
WANTED, MOST, RATE = (1.0, 0.0), 80, 1


@cache
def start():
    """Return the words' rows, (5, 6), the first W^Q and W^K, and the values."""
    x, rng = story.embed(WORDS), np.random.default_rng(1)
    w_query, w_key = rng.normal(size=(2, 6, 2))  # as in the lesson
    held = x, w_query, w_key, x @ story.find().w_value
    return tuple(np.round(one, 6) for one in held)


def _row(steps):
    x, w_query, w_key, value = start()
    row = _there_and_back(x[-1] @ w_query, x @ w_key, value)
    for _ in range(steps):
        slope = RATE * row.of_scores / 2**0.5
        query, key = x[-1] @ w_query, x @ w_key
        w_query = w_query - np.outer(x[-1], slope @ key)
        w_key = w_key - np.outer(slope @ x, query)
        row = _there_and_back(x[-1] @ w_query, x @ w_key, value)
    return row


def _there_and_back(query, key, value):
    """Return the row of “hungry” on the way forward, and on the way back."""
    scores = key @ query / 2**0.5
    weights = softmax(scores)
    output = weights @ value
    of_output = output - WANTED
    of_weights = value @ of_output
    of_scores = softmax_vjp(weights, of_weights)
    return SimpleNamespace(
        scores=scores,
        weights=weights,
        output=output,
        loss=float((of_output**2).sum() / 2),
        of_output=of_output,
        of_weights=of_weights,
        of_scores=of_scores,
        total=round(float(of_scores.sum()), 9) + 0.0,
        best=WORDS[int(of_scores.argmin())],
    )


def _data():
    x, w_query, w_key, value = (numbers(one) for one in start())
    return {
        "words": WORDS,
        "x": x,
        "w_query": w_query,
        "w_key": w_key,
        "value": value,
        "wanted": list(WANTED),
        "rate": RATE,
    }


panel = Figure(
    __file__,
    controls={"steps": Slider("Steps of W^Q and W^K", 0, 0, MOST, 1)},
    data=_data,
    compute=_row,
    still=lambda _, now: both_ways(now, WORDS, start()[3]),
    title="The row of “hungry”, forward and back",
    summary=(
        "After {steps} steps “hungry” gets {output:[.2f}, and {wanted:[.0f} is "
        "wanted: loss {loss:.3f}.",
        "Backward, the output's gradient is {of_output:[.2f}.",
        "The score to raise most is that of “{best}”.",
    ),
    tables=Table(
        "Forward, and the gradient of each number",
        "words",
        Line("score", "scores"),
        Line("weight", "weights", source="scores"),
        Line("gradient of the weight", "of_weights"),
        Line("gradient of the score", "of_scores", ".3f", "of_weights"),
        upright=False,
    ),
    said=("loss {loss:.3f}", "“dog” gets {weights.0:.2f}"),
)
