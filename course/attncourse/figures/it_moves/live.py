"""Lesson 8: what "it" says, and what it found, after each step."""

from types import SimpleNamespace

import numpy as np

from attncourse import story
from attncourse.story import named

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.panel import choice
from ..kit.picture import QUERY, VALUE, panels


def way(rows, steps):
    """Draw what "it" says and what it found after each step, joined by lines."""
    figure, axes = panels(1, 2, size=(6.4, 3.4))
    planes = zip(axes, TITLES, np.split(np.array(rows), 2, axis=1), strict=True)
    for k, (axis, title, way) in enumerate(planes):
        across, up = COLUMNS[2 * k : 2 * k + 2]
        axis.plot(*way.T, "o-", color=QUERY)
        names = {}
        for step, place in zip(steps, way, strict=True):
            names.setdefault(tuple(place.round(3)), []).append(step)
        for k, (place, here) in enumerate(names.items()):
            lift, text = (4, -14 if k % 2 == 0 else 8), ", ".join(here)
            look = {"textcoords": "offset points", "ha": "center"}
            axis.annotate(text, place, lift, **look)
        axis.set(xlim=(-0.4, 1.4), ylim=(-0.4, 1.4), aspect="equal", title=title)
        axis.set(xticks=(0, 1), yticks=(0, 1), xlabel=across, ylabel=up)
    axes[1].plot((1, 0), (0, 1), "s", color=VALUE)
    return figure


ADJECTIVES = ("hungry", "delicious")
STEPS = ("the words", "layer 1", "layer 2")
COLUMNS = ("says alive", "says edible", *named.NOUNS)
TITLES = ("what “it” says", "what “it” found")


def after_layers(adjective):
    """Return the row of "it" after each of the `STEPS`, (3, 4): attention alone.

    Parameters
    ----------
    adjective : str
        One of `ADJECTIVES`.
    """
    words = story.sentence(adjective)
    (find, gather), (w_find, w_gather) = named.heads().values(), named.w_outputs()
    passed = [named.embed(words)]
    for head, w_output in ((gather, w_gather), (find, w_find)):
        passed.append(passed[-1] + story.attend(passed[-1], [head], w_output))
    places = [named.COLUMNS.index(name) for name in COLUMNS]
    return [rows[words.index("it")][places] for rows in passed]


def _numbers(adjective, after):
    """Return the row of "it" after each step, (3, 4), and what it says and found."""
    rows = after_layers(adjective)
    return SimpleNamespace(rows=rows, says=rows[after][:2], found=rows[after][2:])


panel = Figure(
    __file__,
    controls={
        "adjective": Choice("Last word", "hungry", ADJECTIVES),
        "after": Choice(
            "Row of “it” after",
            0,
            {name: k for k, name in enumerate(STEPS)},
            look=choice,
        ),
    },
    solved={"after": len(STEPS) - 1},
    data=lambda: {
        "ways": {adjective: after_layers(adjective) for adjective in ADJECTIVES},
        "steps": STEPS,
        "columns": COLUMNS,
        "titles": TITLES,
    },
    compute=_numbers,
    still=lambda _, now: way(now.rows, STEPS),
    title="The row of “it” as two arrows: what it says, and what it found",
    summary=(
        "After {steps.$after}, “it” says alive {says.0:.2f} and edible "
        "{says.1:.2f}; it has found the dog {found.0:.2f} and the food {found.1:.2f}."
    ),
    tables=Matrix("“It” after each step", "steps", "columns", "rows"),
    said=(
        "it says alive {says.0:.2f}, edible {says.1:.2f}",
        "it found dog {found.0:.2f}, food {found.1:.2f}",
    ),
)
