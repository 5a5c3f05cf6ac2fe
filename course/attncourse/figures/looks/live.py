"""Live figure: "it" looks for the dog up to eight times, and adds what it finds."""

import numpy as np

from attncourse import story
from attnlib import attention_weights, layer_norm

from ..kit.controls import Choice, Slider
from ..kit.tabled import Bars, Curves, Tabled

MOST = 8
WORDS = story.sentence("hungry")
IT = WORDS.index("it")
NONE, AFTER, BEFORE = "none", "after each sum", "before each step"


def _start():
    """Return the rows once "it" has gathered what the adjective says, and *find*."""
    find, gather = story.heads().values()
    w_output = story.w_output()
    x = story.embed(WORDS)
    return x + story.attend(x, [gather], w_output[2:]), find, w_output[:2]


def _norm(rows):
    return layer_norm(rows, np.ones(rows.shape[-1]))


def _look(looks, norm):
    """Return what "it" holds of *alive* after each look, and the weights of one."""
    rows, find, w_output = _start()
    alive, weights = [], []
    for _ in range(MOST):
        inputs = _norm(rows) if norm == BEFORE else rows
        weights.append(attention_weights(inputs @ find[0], inputs @ find[1])[IT])
        rows = rows + story.attend(inputs, [find], w_output)
        rows = _norm(rows) if norm == AFTER else rows
        alive.append(rows[IT, story.ALIVE])
    return {
        "steps": list(range(1, MOST + 1)),
        "alive": alive,
        "names": WORDS,
        "weights": weights[looks - 1],
    }


panel = Tabled(
    "looks",
    controls={
        "looks": Slider("Looks", 1, 1, MOST, 1),
        "norm": Choice("Norm", NONE, (NONE, AFTER, BEFORE)),
    },
    compute=_look,
    drawn=(
        Curves(
            "Alive, in the row of “it”",
            "steps",
            "looks",
            {"alive": "alive"},
            moves="looks",
            form=".1f",
        ),
        Bars("Whom “it” looks at, in that look", "weight", "weights"),
    ),
    title="“It” looks for the dog again and again",
    summary=(
        "Norm: {norm}. After look {looks}, “it” holds {alive.$at:.2f} of alive.",
        "In that look it gave the dog {weights.0:.2f} of its attention, itself "
        "{weights.3:.2f}, and “hungry” {weights.4:.2f}.",
    ),
    said=(
        "alive {alive.$at:.2f}",
        "dog {weights.0:.2f}, itself {weights.3:.2f}, hungry {weights.4:.2f}",
    ),
)
