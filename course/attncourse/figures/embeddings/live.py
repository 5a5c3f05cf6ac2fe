"""Lesson 1's live figure: drag a word in the plane, compare it with the others."""

from typing import Any, NamedTuple

import numpy as np

from attncourse.story import plane_words
from attnlib import cosine_similarity, dot_product_scores

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Description, Matrix
from ..kit.panel import numbers
from . import still

MOST, STEP = 2.0, 0.1
WORDS = plane_words()
NAMES = tuple(WORDS)


class Comparison(NamedTuple):
    """One word compared with every word, itself included.

    Parameters
    ----------
    dot, cosine : array, (n_words,)
    length, product, angle : float
        Of this word, and its dot product and cosine with the other.
    shadow : float
        How long the projection of the other word on this one is; negative if it
        points away. None without another word, as the two before.
    table : list
        For each word where it stands, and its two numbers, None while covered.
    case : str
    """

    dot: Any
    cosine: Any
    length: float
    product: float | None
    angle: float | None
    shadow: float | None
    table: Any
    case: str


def moved(word, at):
    """Return the words as they stand while one of them is elsewhere."""
    return {**WORDS, word: np.array(at)}


def _compare(word, other, at):
    vectors = np.array(list(moved(word, at).values()))
    dot = dot_product_scores([at], vectors)[0]
    cosine, length = cosine_similarity(vectors, at), float(np.linalg.norm(at))
    if other is None:
        table = [[*vector, None, None] for vector in vectors.tolist()]
        return Comparison(dot, cosine, length, None, None, None, table, "covered")
    i, shadow = NAMES.index(other), still.shadow(np.array(at), moved(word, at)[other])
    table = np.column_stack([vectors, dot, cosine])
    case = "laid" if length else "zero"
    return Comparison(dot, cosine, length, dot[i], cosine[i], shadow, table, case)


STANDS = "“{word}” stands at {at.0:.1f} right (alive), {at.1:.1f} up (edible)."
ZERO = "{word} has length 0 and no direction: all its dot products are 0"
ASKS = "Which word is most like “{word}”?"
panel = Figure(
    "embeddings",
    __file__,
    controls={
        "word": Choice("Moves", "dog", NAMES, place="exact"),
        "other": Choice("Shadow of", None, NAMES, optional=True, place="below"),
        "at": Slider(
            "Stands",
            (1.0, 0.0),
            -MOST,
            MOST,
            STEP,
            place="below",
            each={"x": "alive", "y": "edible"},
            form=".1f",
        ),
    },
    opened={"other": "fish"},
    data=lambda: {
        "names": NAMES,
        "vectors": numbers(list(WORDS.values())),
        "columns": ("right", "up", "dot product", "cosine"),
    },
    compute=_compare,
    still=lambda state, now: still.compared(
        moved(state["word"], state["at"]), now, state
    ),
    describe=Description(
        "Words in a plane, and how one of them compares with all",
        {
            "covered": (STANDS, ASKS, "The numbers are covered until you choose one."),
            "zero": (STANDS, f"{ZERO}."),
            "laid": (
                STANDS,
                "Its length {length:.2f} × the shadow of “{other}” on it, "
                "{shadow:.2f}, is their dot product, {product:.2f}.",
                "Their cosine is {angle:.2f}.",
            ),
        },
        (
            Matrix(
                "Where words stand, and each compared with the one that moves",
                "names",
                "columns",
                "table",
                none="?",
            ),
        ),
        said={
            "covered": (
                f"{ASKS} Press Enter on it",
                "{word} at {at.0:.1f} right, {at.1:.1f} up",
            ),
            "zero": ZERO,
            "laid": (
                "{word} · {other} = length {length:.2f} × shadow {shadow:.2f} = "
                "{product:.2f}",
                "cosine {angle:.2f}",
            ),
        },
    ),
)
