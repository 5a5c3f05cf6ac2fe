"""Lesson 6's live figure: what "ate" is told by one row of weights, and by two."""

from types import SimpleNamespace

import numpy as np

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.grids import grid
from ..kit.picture import VALUE, WEIGHTS, panels


def told(now, animals, parts):
    """Draw the weights of "ate", and below them what it is told of each animal."""
    figure, (weights, rows) = panels(2, 1, size=(3.6, 3.8))
    look = {"most": 1.0, "text": "{:.2f}"}
    grid(weights, now.weights, rows=now.who, columns=now.words, color=WEIGHTS, **look)
    wanted = [tuple(cell) for cell in np.argwhere(now.wanted)]
    grid(rows, now.told, rows=parts, columns=animals, lit=wanted, color=VALUE, **look)
    return figure


ANIMALS = ("dog", "cat", "mouse")
SENTENCES = ("dog ate cat", "cat ate dog", "dog ate mouse", "mouse ate dog")
PARTS = ("eats", "is eaten")
HEADS = {1: ("weights",), 2: ("head 1", "head 2")}
ROWS = {"one": 1, "two": 2}


def _tell(sentence, before, heads):
    """Return what each row of weights brings, and what is wanted.

    Who "ate" is told that eats and is eaten, a column for each animal, (2, 3), and what
    is true; the rows of weights, (n_heads, 3), and their names.
    """
    words = tuple(sentence.split())
    values = np.array([[float(word == animal) for animal in ANIMALS] for word in words])
    weights = np.array([[before, 0, 1 - before], [1 - before, 0, before]])[:heads]
    told = np.broadcast_to(weights @ values, (2, 3))  # one head tells both the same
    wanted = values[[0, 2]]
    right = [np.allclose(one, other) for one, other in zip(told, wanted, strict=True)]
    return SimpleNamespace(
        words=words,
        who=HEADS[heads],
        weights=weights,
        told=told,
        wanted=wanted,
        case="right" if all(right) else "eats" if right[0] else "mixed",
    )


EATS, IS_EATEN = (
    f"{part}: dog {{told.{i}.0:.2f}}, cat {{told.{i}.1:.2f}}, mouse {{told.{i}.2:.2f}}"
    for i, part in enumerate(("Eats", "Is eaten"))
)
panel = Figure(
    __file__,
    controls={
        "sentence": Choice("Sentence", "dog ate cat", SENTENCES),
        "before": Slider("Word before", 0.7, 0.0, 1.0, 0.05),
        "heads": Choice("Rows of weights", 1, ROWS, place="below"),
    },
    solved={"before": 1.0},
    data=lambda: {"animals": ANIMALS, "parts": PARTS, "everyone": list(HEADS.values())},
    compute=_tell,
    still=lambda _, now: told(now, ANIMALS, PARTS),
    title="What “ate” is told of three animals",
    summary={
        "mixed": (f"{EATS}.", f"{IS_EATEN}."),
        "eats": (f"{EATS}: right.", f"{IS_EATEN}: wrong."),
        "right": (f"{EATS}.", f"{IS_EATEN}.", "Both are right."),
    },
    tables=(
        Matrix("Weights of “ate”", "who", "words", "weights"),
        Matrix("What “ate” is told", "parts", "animals", "told", source="weights"),
    ),
    said={
        "mixed": (EATS, IS_EATEN),
        "eats": (f"{EATS}, right", f"{IS_EATEN}, wrong"),
        "right": ("Both right", EATS, IS_EATEN),
    },
)
