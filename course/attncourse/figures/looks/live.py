"""Live figure: "it" looks for the dog up to eight times, and adds what it finds."""

from types import SimpleNamespace

import numpy as np

from attncourse import story
from attnlib import attention_weights

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.grids import grid
from ..kit.panel import numbers
from ..kit.picture import panels

MOST = 8
WORDS = story.sentence("hungry")
COLUMNS = ("alive", *WORDS)
IT = WORDS.index("it")


def _start():
    """Return the rows once "it" has gathered what the adjective says, and *find*."""
    find, gather = story.heads().values()
    w_output = story.w_output()
    x = story.embed(WORDS)
    return x + story.attend(x, [gather], w_output[2:]), find, w_output[:2]


def _look(looks):
    """Return what "it" holds of *alive* after each look, beside that look's weights."""
    rows, (w_query, w_key, w_value), w_output = _start()
    told = np.zeros((looks, len(COLUMNS)))
    for line in told:
        weights = attention_weights(rows @ w_query, rows @ w_key)
        rows = rows + weights @ rows @ w_value @ w_output
        line[:] = rows[IT, story.ALIVE], *weights[IT]
    steps = [str(k + 1) for k in range(looks)]
    return SimpleNamespace(steps=steps, told=told, last=told[-1])


def table(now):
    """Draw a row for each look: *alive* after it, and whom "it" looked at."""
    figure, axis = panels(size=(4.4, 0.7 + 0.42 * len(now.steps)))
    look = {"rows": now.steps, "columns": COLUMNS, "most": 1.0, "text": "{:.2f}"}
    grid(axis, now.told, **look)
    axis.set(aspect="auto")
    return figure


panel = Figure(
    __file__,
    controls={
        "looks": Slider("Looks", 1, 1, MOST, 1),
    },
    data=lambda: {
        "columns": COLUMNS,
        "most": MOST,
        "alive": story.ALIVE,
        "it": IT,
        "rows": _start()[0],
        "weights": [numbers(w) for w in (*_start()[1], _start()[2])],
    },
    compute=_look,
    still=lambda _, now: table(now),
    title="“It” looks for the dog again and again",
    summary=(
        "After look {looks}, “it” holds {last.0:.2f} of alive.",
        "In that look it gave the dog {last.1:.2f} of its attention, itself "
        "{last.4:.2f}, and “hungry” {last.5:.2f}.",
    ),
    tables=Matrix("Alive after each look, and its weights", "steps", "columns", "told"),
    said=(
        "alive {last.0:.2f}",
        "dog {last.1:.2f}, itself {last.4:.2f}, hungry {last.5:.2f}",
    ),
)
