"""Lesson 1's live figure: drag a word in the plane, compare it with the others."""

from typing import Any, NamedTuple

import ipywidgets
import numpy as np
import traitlets

from attncourse import examples
from attnlib import cosine_similarity, dot_product_scores

from ..kit.checks import check_between
from ..kit.panel import LABEL, Panel, View, numbers, slider
from . import still

MOST = 2.0


class EmbeddingsView(View, beside=__file__):
    """The words where they begin, and where one of them is now."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    vectors = traitlets.List().tag(sync=True)
    word = traitlets.Int().tag(sync=True)
    x = traitlets.Float().tag(sync=True)
    y = traitlets.Float().tag(sync=True)


class Comparison(NamedTuple):
    """One word compared with every word, itself included."""

    tokens: tuple[str, ...]
    dot: Any
    cosine: Any


def panel(word="perform", x=None, y=None):
    """Return the live figure of lesson 1.

    Parameters
    ----------
    word : str
        The word that moves: one of `attncourse.examples.plane_words`.
    x, y : float, optional
        Where it stands to begin with, from −2 to 2; without, where the slides put it.

    Returns
    -------
    Panel
        ``compute()`` gives a `Comparison` of the word with all, computed by attnlib.

    Raises
    ------
    ValueError
        If there is no such word, or it would stand outside of the picture.
    """
    words = examples.plane_words()
    names = list(words)
    if word not in names:
        raise ValueError(f"embeddings: word must be one of {names}, got {word!r}")
    home = words[word]
    x = check_between("embeddings", "x", home[0] if x is None else x, -MOST, MOST)
    y = check_between("embeddings", "y", home[1] if y is None else y, -MOST, MOST)
    at = {"word": names.index(word), "x": x, "y": y}
    vectors = numbers(list(words.values()))
    moves = ipywidgets.Dropdown(
        description="Word that moves", options=names, value=word, style=LABEL
    )
    return Panel(
        EmbeddingsView(names=names, vectors=vectors, **at),
        {"word": moves, "x": _slider("x, across", x), "y": _slider("y, up", y)},
        still=still.compared(_moved(word, x, y), word),
        compute=_compare,
    )


def _slider(description, value):
    control = slider(description, value, -MOST, MOST, 0.1)
    control.readout_format = ".1f"
    return control


def _moved(word, x, y):
    return {**examples.plane_words(), word: np.array([x, y])}


def _compare(word, x, y):
    words = _moved(word, x, y)
    vectors = np.array(list(words.values()))
    dot = dot_product_scores([words[word]], vectors)[0]
    return Comparison(tuple(words), dot, cosine_similarity(vectors, words[word]))
