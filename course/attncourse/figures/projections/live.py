"""Lesson 2's live figure: drag where a word's query lands, and break the mirror."""

import numpy as np
import traitlets

from attncourse import story
from attnlib import SelfAttention
from attnlib._arrays import as_floats

from ..kit.panel import Panel, View, slider
from ..kit.widgets import ipywidgets
from . import still

MOST = 1.5
WORDS = ("dog", "food", "hungry")
COLUMNS = [story.ALIVE, story.EDIBLE, story.SAYS_ALIVE]
ROWS = {"1": "dog", "2": "hungry"}  # each takes one row: "alive" and "says alive"
FOOD = (0.0, 1.0)  # the row "edible" stays
START = ((1.0, 0.0), (0.0, 0.0))
PLACES = ("11", "12", "21", "22")  # row and column
AXES = {"1": "alive", "2": "edible"}
BREAKS = "q21"  # the one number that breaks the mirror: its slider stays in view


def _weight():
    return traitlets.Float().tag(sync=True)


class ProjectionsView(View, beside=__file__):
    """The rows of the two matrices: where dog and hungry go as queries and as keys."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    food = traitlets.List().tag(sync=True)
    most = traitlets.Float(MOST).tag(sync=True)
    shared = traitlets.Bool().tag(sync=True)
    q11, q12, q21, q22 = _weight(), _weight(), _weight(), _weight()
    k11, k12, k21, k22 = _weight(), _weight(), _weight(), _weight()


def panel(w_query=START, w_key=None):
    """Return the live figure of lesson 2.

    Parameters
    ----------
    w_query : array, (2, 2)
        The rows "alive" and "says alive" of W^Q to begin with, each number from −1.5
        to 1.5. The row "edible" is (0, 1) throughout.
    w_key : array, (2, 2), optional
        The same rows of W^K; without, one matrix makes both queries and keys.

    Returns
    -------
    Panel
        ``compute()`` gives the `AttentionTrace` of dog, food and hungry.

    Raises
    ------
    ValueError
        If the weights do not fit the sliders.
    """
    weights = _named("q", "w_query", w_query)
    weights |= _named("k", "w_key", w_query if w_key is None else w_key)
    shared = w_key is None
    view = ProjectionsView(names=WORDS, food=FOOD, shared=shared, **weights)
    one = ipywidgets.Checkbox(
        description="One arrow for both", value=shared, indent=False
    )
    controls = {
        "shared": one,
        **{name: _slider(name, w) for name, w in weights.items()},
    }
    made = Panel(
        view,
        controls,
        still=lambda: still.queries_and_keys(_compute(shared, **weights)),
        compute=_compute,
        exact=[name for name in weights if name != BREAKS],
    )
    *above, drawn, folded = made.children
    made.children = [drawn, *above, folded]  # what one drags comes first
    return made


def _named(letter, name, matrix):
    """Name the four weights of a matrix by row and column: q11, q12, q21, q22."""
    _, (matrix,) = as_floats("projections", **{name: matrix})
    if matrix.shape != (2, 2) or not (np.abs(matrix) <= MOST).all():
        rule = f"{name} must be a 2 × 2 matrix of numbers from {-MOST:g} to {MOST:g}"
        raise ValueError(f"projections: {rule}, got {matrix.tolist()}")
    entries = matrix.ravel().tolist()
    return {letter + place: w for place, w in zip(PLACES, entries, strict=True)}


def _slider(name, weight):
    letter, row, column = name
    does = {"q": "asks", "k": "answers"}[letter]
    label = f"{ROWS[row].capitalize()} {does}, {AXES[column]}"
    control = slider(label, weight, -MOST, MOST, 0.1)
    control.readout_format = ".1f"
    return control


def _compute(shared, **weights):
    def matrix(letter):
        first, second = np.reshape(
            [weights[letter + place] for place in PLACES], (2, 2)
        )
        return np.array([first, FOOD, second])

    w_query, w_key = matrix("q"), matrix("q" if shared else "k")
    x = story.embed(WORDS)[:, COLUMNS]
    w_value = story.find().w_value[COLUMNS]
    return SelfAttention(w_query, w_key, w_value).trace(x, WORDS)
