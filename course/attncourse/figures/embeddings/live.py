"""Lesson 1's live figure: drag a word in the plane, compare it with the others."""

from typing import Any, NamedTuple

import numpy as np
import traitlets

from attncourse.story import plane_words
from attnlib import cosine_similarity, dot_product_scores

from ..kit.checks import check_between
from ..kit.panel import Panel, View, chips, numbers, slider
from . import still

MOST = 2.0


class EmbeddingsView(View, beside=__file__):
    """The words where they begin, where one is now, and which one it is laid beside."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    vectors = traitlets.List().tag(sync=True)
    word = traitlets.Int().tag(sync=True)
    other = traitlets.Int(None, allow_none=True).tag(sync=True)  # None: not guessed
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
        points away. None without another word.
    """

    tokens: tuple[str, ...]
    dot: Any
    cosine: Any
    shadow: float | None


def panel(word="dog", other="fish", x=None, y=None):
    """Return the live figure of lesson 1.

    Parameters
    ----------
    word, other : str
        The word that moves, and the one whose projection on it is drawn: two of
        `attncourse.story.plane_words`. Without the other, the page asks for a guess.
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
        if one not in names and not (name == "other" and one is None):
            raise ValueError(f"embeddings: {name} must be one of {names}, got {one!r}")
    home = words[word]
    x = check_between("embeddings", "x", home[0] if x is None else x, -MOST, MOST)
    y = check_between("embeddings", "y", home[1] if y is None else y, -MOST, MOST)
    laid = None if other is None else names.index(other)
    at = {"word": names.index(word), "other": laid, "x": x, "y": y}
    controls = {
        "word": chips("Moves", names, word),
        "other": chips("Shadow of", names, other),
        "x": _slider("alive", x),
        "y": _slider("edible", y),
    }
    made = Panel(
        EmbeddingsView(names=names, vectors=numbers(list(words.values())), **at),
        controls,
        still=lambda: still.compared(_moved(word, x, y), word, other),
        compute=_compare,
        exact=("word", "y"),
    )
    laid_beside, across, drawn, folded = made.children
    made.children = [drawn, laid_beside, across, folded]  # what one drags comes first
    return made


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
    shadow = None if other is None else still.shadow(one, words[other])
    return Comparison(tuple(words), dot, cosine_similarity(vectors, one), shadow)
