"""Lesson 2's live figure: the weights of W_Q and W_K move words, scores follow."""

import ipywidgets
import numpy as np
import traitlets

from attncourse import examples
from attnlib import SelfAttention
from attnlib._arrays import as_floats

from ..kit.panel import LABEL, Panel, View, numbers, slider
from . import still

MOST = 1.5
IDENTITY = ((1.0, 0.0), (0.0, 1.0))
PLACES = ("11", "12", "21", "22")  # row and column


def _weight():
    return traitlets.Float().tag(sync=True)


class ProjectionsView(View, beside=__file__):
    """The words, and the two matrices that turn them into queries and keys."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    vectors = traitlets.List().tag(sync=True)
    word = traitlets.Int().tag(sync=True)
    q11, q12, q21, q22 = _weight(), _weight(), _weight(), _weight()
    k11, k12, k21, k22 = _weight(), _weight(), _weight(), _weight()


def panel(w_query=IDENTITY, w_key=IDENTITY, word="robots"):
    """Return the live figure of lesson 2.

    Parameters
    ----------
    w_query, w_key : array, (2, 2)
        The weights to begin with, each from −1.5 to 1.5.
    word : str
        The word whose query is shown: one of `attncourse.examples.plane_words`.

    Returns
    -------
    Panel
        ``compute()`` gives the `AttentionTrace` of the five words; their values are
        the words themselves, as in the slides.

    Raises
    ------
    ValueError
        If there is no such word, or the weights do not fit the sliders.
    """
    names = list(examples.plane_words())
    if word not in names:
        raise ValueError(f"projections: word must be one of {names}, got {word!r}")
    weights = _named("q", "w_query", w_query) | _named("k", "w_key", w_key)
    vectors = numbers(list(examples.plane_words().values()))
    asks = ipywidgets.Dropdown(
        description="Word that asks", options=names, value=word, style=LABEL
    )
    view = ProjectionsView(
        names=names, vectors=vectors, word=names.index(word), **weights
    )
    panel = Panel(
        view,
        {"word": asks, **{name: _slider(name, w) for name, w in weights.items()}},
        still=still.queries_and_keys(_compute(word, **weights), word),
        compute=_compute,
    )
    return panel.add_class("aw-two-matrices")


def _named(letter, name, matrix):
    """Name the four weights of a matrix by row and column: q11, q12, q21, q22."""
    _, _, (matrix,) = as_floats("projections", **{name: matrix})
    if matrix.shape != (2, 2) or not (np.abs(matrix) <= MOST).all():
        rule = f"{name} must be a 2 × 2 matrix of numbers from {-MOST:g} to {MOST:g}"
        raise ValueError(f"projections: {rule}, got {matrix.tolist()}")
    entries = matrix.ravel().tolist()
    return {letter + place: w for place, w in zip(PLACES, entries, strict=True)}


def _slider(name, weight):
    letter, row, column = name
    label = f"W_{letter.upper()} ({row}, {column})"
    control = slider(label, weight, -MOST, MOST, 0.1)
    control.readout_format = ".1f"
    return control


def _compute(word, **weights):
    query, key = (
        np.array([weights[letter + place] for place in PLACES]).reshape(2, 2)
        for letter in "qk"
    )
    words = examples.plane_words()
    layer = SelfAttention(query, key, np.eye(2))
    return layer.trace(np.array(list(words.values())), list(words))
