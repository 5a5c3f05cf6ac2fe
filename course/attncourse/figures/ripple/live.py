"""Lesson 8's figure: change one word, and see which rows change, step by step."""

from typing import Any, NamedTuple

import numpy as np
import traitlets

from attncourse import story
from attncourse.checks import require
from attncourse.story.layers import STEPS, two_layers

from ..kit.panel import Panel, View, chips, choice, numbers
from . import still

WORDS = tuple(story.sentence("hungry"))
INSTEAD = dict.fromkeys(WORDS, "stone") | {"hungry": "delicious"}
CHANGES = ("none", *WORDS)


class RippleView(View, beside=__file__):
    """What attnlib computed for each change; the page shows one of them."""

    columns = traitlets.List(traitlets.Unicode()).tag(sync=True)
    steps = traitlets.List(traitlets.Unicode()).tag(sync=True)
    words = traitlets.List().tag(sync=True)
    rows = traitlets.List().tag(sync=True)
    apart = traitlets.List().tag(sync=True)
    change = traitlets.Int().tag(sync=True)
    step = traitlets.Int().tag(sync=True)


class Ripple(NamedTuple):
    """The words after a step, and how far each row is from what it was unchanged."""

    words: tuple[str, ...]
    rows: Any
    apart: Any


def panel(change="hungry", step="words"):
    """Return the figure in which one word of the story is changed.

    Parameters
    ----------
    change : str
        The word that is changed: "none", "dog", "ate", "food", "it" or "hungry".
        "hungry" becomes "delicious"; any other becomes "stone", a row of zeros.
    step : str
        Up to where to look: "words", "attention 1", "network 1", "attention 2" or
        "network 2".

    Returns
    -------
    Panel
        ``compute()`` gives the `Ripple` at that step.

    Raises
    ------
    ValueError
        If there is no such word or step.
    """
    require(change in CHANGES, "ripple", f"change must be in {CHANGES}", change=change)
    require(step in STEPS, "ripple", f"step must be in {STEPS}", step=step)
    controls = {
        "change": chips("Change", _changes(), change),
        "step": choice("Step", STEPS, step),
    }
    so_far = [_compute(change, name) for name in STEPS[: STEPS.index(step) + 1]]
    return Panel(
        _view(),
        controls,
        still=lambda: still.lit(so_far, STEPS, story.COLUMNS),
        compute=_compute,
    )


def _changes():
    """List what the chips say, and which change each of them means."""
    return [("nothing", "none"), *((f"{a} → {b}", a) for a, b in INSTEAD.items())]


def _view():
    every = [[_compute(change, step) for step in STEPS] for change in CHANGES]
    return RippleView(
        columns=list(story.COLUMNS),
        steps=list(STEPS),
        words=[list(row[0].words) for row in every],
        rows=[numbers([one.rows for one in row], 4) for row in every],
        apart=[numbers([one.apart for one in row], 4) for row in every],
    )


def _compute(change, step):
    words = tuple(INSTEAD[word] if word == change else word for word in WORDS)
    rows, before = (two_layers(_rows(one)).rows[step] for one in (words, WORDS))
    return Ripple(words, rows, np.linalg.norm(rows - before, axis=1))


def _rows(words):
    """Embed words; a stone is a row of zeros, nothing that can be read."""
    known = story.embed(["dog" if word == "stone" else word for word in words])
    return known * [[word != "stone"] for word in words]
