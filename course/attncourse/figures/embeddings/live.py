"""Lesson 1's live figure: drag a word in the plane, compare it with the others."""

from typing import Any, NamedTuple

import numpy as np
import traitlets

from attncourse.story import plane_words
from attnlib import cosine_similarity, dot_product_scores

from ..kit.checks import check_between
from ..kit.panel import LABEL, Panel, View, numbers, slider
from ..kit.widgets import ipywidgets
from . import still

MOST = 2.0


class EmbeddingsView(View, beside=__file__):
    """The words where they begin, where one is now, and which one it is laid beside."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    vectors = traitlets.List().tag(sync=True)
    word = traitlets.Int().tag(sync=True)
    other = traitlets.Int().tag(sync=True)
    x = traitlets.Float().tag(sync=True)
    y = traitlets.Float().tag(sync=True)


class Comparison(NamedTuple):
    """One word compared with every word, itself included.

    Parameters
    ----------
    tokens : tuple of str
    dot, cosine : array, (n_words,)
    shadow : float
        How long the projection of the other word on this one is; negative if it
        points away.
    """

    tokens: tuple[str, ...]
    dot: Any
    cosine: Any
    shadow: float


def panel(word="dog", other="fish", x=None, y=None):
    """Return the live figure of lesson 1.

    Parameters
    ----------
    word, other : str
        The word that moves, and the one whose projection on it is drawn: two of
        `attncourse.story.plane_words`.
    x, y : float, optional
        Where the word stands to begin with, from −2 to 2; without, at its own place.

    Returns
    -------
    Panel
        ``compute()`` gives a `Comparison` of the word with all, computed by attnlib.

    Raises
    ------
    ValueError
        If there is no such word, or it would stand outside of the picture.
    """
    words = plane_words()
    names = list(words)
    for name, one in (("word", word), ("other", other)):
        if one not in names:
            raise ValueError(f"embeddings: {name} must be one of {names}, got {one!r}")
    home = words[word]
    x = check_between("embeddings", "x", home[0] if x is None else x, -MOST, MOST)
    y = check_between("embeddings", "y", home[1] if y is None else y, -MOST, MOST)
    at = {"word": names.index(word), "other": names.index(other), "x": x, "y": y}
    controls = {
        "word": _choice("Moves", names, word),
        "other": _choice("Shadow of", names, other),
        "x": _slider("alive", x),
        "y": _slider("edible", y),
    }
    made = Panel(
        EmbeddingsView(names=names, vectors=numbers(list(words.values())), **at),
        controls,
        still=lambda: still.compared(_moved(word, x, y), word, other),
        compute=_compare,
    )
    return made.add_class("aw-plane-panel")


def _choice(description, names, value):
    return ipywidgets.Dropdown(
        description=description, options=names, value=value, style=LABEL
    )


def _slider(description, value):
    control = slider(description, value, -MOST, MOST, 0.1)
    control.readout_format = ".1f"
    return control


def _moved(word, x, y):
    return {**plane_words(), word: np.array([x, y])}


def _compare(word, other, x, y):
    words = _moved(word, x, y)
    vectors, one = np.array(list(words.values())), words[word]
    dot = dot_product_scores([one], vectors)[0]
    shadow = still.shadow(one, words[other])
    return Comparison(tuple(words), dot, cosine_similarity(vectors, one), shadow)
