"""Lesson 1's live figure: drag a word in the plane, compare it with the others."""

from types import SimpleNamespace

import numpy as np

from attncourse.story import plane_words
from attnlib import cosine_similarity, dot_product_scores

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.panel import numbers
from . import still

MOST, STEP = 2.0, 0.1
WORDS = plane_words()
NAMES = tuple(WORDS)


def moved(word, at):
    """Return the words as they stand while one of them is elsewhere."""
    return {**WORDS, word: np.array(at)}


def _compare(word, other, at):
    """Compare one word with every word, itself included.

    Beside its ``length`` its ``product`` and ``angle`` (the cosine) with the other, and
    how long the other's ``shadow`` on it is, negative if it points away: None without
    another word, as the last two columns of the ``table``.
    """
    vectors = np.array(list(moved(word, at).values()))
    dot = dot_product_scores([at], vectors)[0]
    cosine, length = cosine_similarity(vectors, at), float(np.linalg.norm(at))
    found = SimpleNamespace(dot=dot, cosine=cosine, length=length)
    if other is None:
        found.product = found.angle = found.shadow = None
        found.table = [[*vector, None, None] for vector in vectors.tolist()]
        found.case = "covered"
    else:
        i = NAMES.index(other)
        found.product, found.angle = dot[i], cosine[i]
        found.shadow = still.shadow(np.array(at), vectors[i])
        found.table = np.column_stack([vectors, dot, cosine])
        found.case = "laid" if length else "zero"
    return found


STANDS = "“{word}” stands at {at.0:.1f} right (alive), {at.1:.1f} up (edible)."
ZERO = "{word} has length 0 and no direction: all its dot products are 0"
ASKS = "Which word is most like “{word}”?"
panel = Figure(
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
            place="exact",
            each={"x": "alive", "y": "edible"},
            form=".1f",
        ),
    },
    solved={"other": "cat"},
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
    title="Words in a plane, and how one of them compares with all",
    summary={
        "covered": (STANDS, ASKS, "The numbers are covered until you choose one."),
        "zero": (STANDS, f"{ZERO}."),
        "laid": (
            STANDS,
            "Its length {length:.2f} × the shadow of “{other}” on it, "
            "{shadow:.2f}, is their dot product, {product:.2f}.",
            "Their cosine is {angle:.2f}.",
        ),
    },
    tables=Matrix(
        "Where words stand, and each compared with the one that moves",
        "names",
        "columns",
        "table",
        none="?",
    ),
    said={
        "covered": (
            f"{ASKS} Press Enter on it",
            "{word} at {at.0:.1f} right, {at.1:.1f} up",
        ),
        "zero": ZERO,
        "laid": (
            "{word} · {other} = {product:.2f}",
            "length {length:.2f} × shadow {shadow:.2f}",
            "cosine {angle:.2f}",
        ),
    },
)
