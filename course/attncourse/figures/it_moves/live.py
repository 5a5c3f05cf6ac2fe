"""Lesson 8: what "it" says, and what it is, after each step."""

from types import SimpleNamespace

import numpy as np

from attncourse import story
from attncourse.story import layers

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.panel import choice
from ..kit.picture import QUERY, VALUE, panels


def way(rows, steps):
    """Draw what "it" says and what it is after each step, as places joined by lines."""
    figure, axes = panels(1, 2, size=(6.4, 3.4))
    rows, titles = np.array(rows), ("what “it” says", "what “it” is")
    for axis, title, way in zip(axes, titles, np.split(rows, 2, axis=1), strict=True):
        axis.plot(*way.T, "o-", color=QUERY)
        for k, place in enumerate(way):
            if k and np.allclose(place, way[k - 1], atol=1e-3):
                continue
            lift = (4, 8 if k % 2 else -14)
            axis.annotate(
                steps[k], place, lift, textcoords="offset points", ha="center"
            )
        axis.set(xlim=(-0.4, 1.4), ylim=(-0.4, 1.4), aspect="equal", title=title)
        axis.set(xticks=(0, 1), yticks=(0, 1), xlabel="alive", ylabel="edible")
    for noun, place in (("dog", (1, 0)), ("food", (0, 1))):
        axes[1].plot(*place, "s", color=VALUE)
        axes[1].annotate(noun, place, (8, 18), textcoords="offset points", color=VALUE)
    return figure


ADJECTIVES = ("hungry", "delicious")
STEPS = (
    "the words",
    "layer 1's attention",
    "layer 1's network",
    "layer 2's attention",
    "layer 2's network",
)
COLUMNS = ("says alive", "says edible", "alive", "edible")


def _way(adjective):
    words = story.sentence(adjective)
    passed = layers.two_layers(story.embed(words)).rows
    places = [story.COLUMNS.index(name) for name in COLUMNS]
    return [passed[step][words.index("it")][places] for step in layers.STEPS]


def _compute(after, adjective):
    """Return the row of "it" after each step, (5, 4), and what it says and is now."""
    rows = _way(adjective)
    return SimpleNamespace(rows=rows, says=rows[after][:2], means=rows[after][2:])


panel = Figure(
    __file__,
    controls={
        "adjective": Choice("Last word", "hungry", ADJECTIVES),
        "after": Choice(
            "After",
            0,
            {name: k for k, name in enumerate(STEPS)},
            look=choice,
        ),
    },
    solved={"after": len(STEPS) - 1},
    data=lambda: {
        "ways": {one: _way(one) for one in ADJECTIVES},
        "steps": STEPS,
        "columns": COLUMNS,
        "nouns": {"dog": (1, 0), "food": (0, 1)},
    },
    compute=_compute,
    still=lambda _, now: way(now.rows, STEPS),
    title="The row of “it” as two arrows: what it says, and what it is",
    summary=(
        "After {steps.$after}, “it” says alive {says.0:.2f} and edible "
        "{says.1:.2f}; it is alive {means.0:.2f} and edible {means.1:.2f}."
    ),
    tables=Matrix("“It” after each step", "steps", "columns", "rows"),
    said=(
        "it says alive {says.0:.2f}, edible {says.1:.2f}",
        "it is alive {means.0:.2f}, edible {means.1:.2f}",
    ),
)
