"""Lesson 6's live figure: what "ate" is told by one row of weights, and by two."""

from types import SimpleNamespace

import numpy as np

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.grids import grid
from ..kit.picture import VALUE, WEIGHTS, panels

ANIMALS = ("dog", "cat", "mouse")
SENTENCES = ("dog ate cat", "cat ate dog", "dog ate mouse", "mouse ate dog")
PARTS = ("eats", "is eaten")
HEADS = ("head 1", "head 2")
ALONE, BOTH = "Told by head 1 alone", "Told by both heads"


def _draw(_, now):
    """Draw the weights of "ate", and what one head tells it, and two."""
    figure, (weights, *told) = panels(3, 1, size=(3.6, 5.4))
    look = {"most": 1.0, "text": "{:.2f}"}
    grid(weights, now.weights, rows=HEADS, columns=now.words, color=WEIGHTS, **look)
    look |= {"lit": [tuple(cell) for cell in np.argwhere(now.wanted)], "color": VALUE}
    for axis, title, rows in zip(told, (ALONE, BOTH), (now.one, now.two), strict=True):
        grid(axis, rows, rows=PARTS, columns=ANIMALS, title=title, **look)
    return figure


def _tell(sentence, before):
    """Return what one row of weights brings, what two bring, and what is wanted.

    Who "ate" is told that eats and is eaten, a column for each animal, (2, 3): by one
    head, by two, and in truth; and the rows of weights, (2, 3).
    """
    words = tuple(sentence.split())
    values = np.array([[float(word == animal) for animal in ANIMALS] for word in words])
    weights = np.array([[before, 0, 1 - before], [1 - before, 0, before]])
    two, wanted = weights @ values, values[[0, 2]]
    return SimpleNamespace(
        words=words,
        weights=weights,
        one=two[[0, 0]],
        two=two,
        wanted=wanted,
        case="right" if np.allclose(two, wanted) else "mixed",
    )


EATS, EATEN = (
    f"{part}: dog {{two.{i}.0:.2f}}, cat {{two.{i}.1:.2f}}, mouse {{two.{i}.2:.2f}}"
    for i, part in enumerate(("Eats", "Is eaten, by both heads"))
)
SAME = "Is eaten, by head 1 alone: the same"
panel = Figure(
    __file__,
    controls={
        "sentence": Choice("Sentence", "dog ate cat", SENTENCES),
        "before": Slider("Head 1, first word", 0.7, 0.0, 1.0, 0.05),
    },
    look="aw-two-heads",
    solved={"before": 1.0},
    data=lambda: {"animals": ANIMALS, "parts": PARTS, "heads": HEADS},
    compute=_tell,
    still=_draw,
    title="What “ate” is told of three animals",
    summary={
        "mixed": (f"{EATS}.", f"{SAME}.", f"{EATEN}."),
        "right": (f"{EATS}: right.", f"{SAME}, which is wrong.", f"{EATEN}: right."),
    },
    tables=(
        Matrix("Weights of “ate”", "heads", "words", "weights"),
        Matrix(ALONE, "parts", "animals", "one", source="weights"),
        Matrix(BOTH, "parts", "animals", "two", source="weights"),
    ),
    said={
        "mixed": (EATS, SAME, EATEN),
        "right": ("Both heads: right", "head 1 alone: is eaten wrong"),
    },
)
