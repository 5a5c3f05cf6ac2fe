"""Lesson 2's live figure: drag where a word's query lands, and break the mirror."""

from types import SimpleNamespace

import numpy as np

from attncourse import story
from attnlib import dot_product_scores

from ..embeddings.still import arrows
from ..kit.controls import Check, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Matrix, Table
from ..kit.grids import grid
from ..kit.picture import KEY, MUTED, QUERY, panels


def queries_and_keys(names, now):
    """Draw queries among keys, and the table of scores with its broken mirror pairs."""
    figure, (left, right) = panels(2, 1, size=(4.4, 6.2))
    tips = np.concatenate([now.key, now.query])
    colors = [KEY] * len(names) + [QUERY] * len(names)
    arrows(left, tips, [*names, *(f"{name}?" for name in names)], colors)
    left.set_title("queries?", color=QUERY)
    left.set_xlabel("keys", color=KEY)
    broken = np.argwhere(~np.isclose(now.scores, now.scores.T)).tolist()
    look = {"most": max(now.scores.max(), 1e-9), "text": "{:.2f}", "size": 10}
    look |= {"color": MUTED, "lit": [tuple(cell) for cell in broken]}
    grid(right, now.scores, rows=names, columns=names, title="scores", **look)
    return figure


MOST, STEP = 1.5, 0.1
WORDS = ("dog", "food", "hungry")
COLUMNS = [story.ALIVE, story.EDIBLE, story.SAYS_ALIVE]
FOOD = (0.0, 1.0)  # the row "edible" stays
DOG, HUNGRY = (1.0, 0.0), (0.0, 0.0)  # where both begin, asking and answering


def _compute(shared, dog_query, hungry_query, dog_key, hungry_key):
    """Return queries and keys of the three words, (3, 2), and their scores, (3, 3).

    Also the four numbers of each word as columns, which pair's two scores differ most,
    and what that makes of the table: one arrow for both, the same, or broken.
    """
    first, second = (dog_query, hungry_query) if shared else (dog_key, hungry_key)
    w_query, w_key = (dog_query, FOOD, hungry_query), (first, FOOD, second)
    x = story.embed(WORDS)[:, COLUMNS]
    query, key = x @ w_query, x @ w_key
    scores = dot_product_scores(query, key)
    gaps = np.triu(np.abs(scores - scores.T)).round(9)
    pair = tuple(int(i) for i in np.unravel_index(gaps.argmax(), gaps.shape))
    return SimpleNamespace(
        query=query,
        key=key,
        scores=scores,
        lies=[*query.T, *key.T],
        pair=pair,
        between=tuple(WORDS[i] for i in pair),
        case="shared" if shared else "broken" if gaps.any() else "even",
    )


def _arrow(letter, row, word, start, place="exact"):
    does = {"q": "asks", "k": "answers"}[letter]
    axes = {"1": "alive", "2": "edible"}
    each = {f"{letter}{row}{n}": f"{word} {does}, {axis}" for n, axis in axes.items()}
    label = f"{word} {does}"
    look = {"each": each, "form": ".1f", "place": place}
    return Slider(label, start, -MOST, MOST, STEP, **look)


GOAL = "hungry → dog {scores.2.0:.2f}, dog → hungry {scores.0.2:.2f}"
ITSELF = "dog → dog {scores.0.0:.2f}"
BETWEEN = "The mirror is broken between {between.0} and {between.1}"
EVEN = "Every score equals its mirror image across the diagonal"
panel = Figure(
    __file__,
    controls={
        "shared": Check("One arrow for both", True, place="below"),
        "hungry_query": _arrow("q", 2, "Hungry", HUNGRY, "below"),
        "dog_query": _arrow("q", 1, "Dog", DOG),
        "dog_key": _arrow("k", 1, "Dog", DOG),
        "hungry_key": _arrow("k", 2, "Hungry", HUNGRY),
    },
    solved={"shared": False, "hungry_query": (1.0, 0.0)},
    data=lambda: {"names": WORDS, "food": FOOD, "bounds": (MOST, STEP)},
    compute=_compute,
    still=lambda _, now: queries_and_keys(WORDS, now),
    title="Where words ask and answer, and what they score",
    summary={
        "shared": f"{GOAL}.",
        "even": "Every score equals its mirror image.",
        "broken": f"{BETWEEN}.",
    },
    tables=(
        Matrix("Scores: rows ask, columns answer", "names", "names", "scores"),
        Table(
            "Where queries and keys lie (right: alive, up: edible)",
            "names",
            Line("query right", "lies.0", ".1f"),
            Line("query up", "lies.1", ".1f"),
            Line("key right", "lies.2", ".1f"),
            Line("key up", "lies.3", ".1f"),
        ),
    ),
    said={
        "shared": (GOAL, ITSELF),
        "even": (GOAL, EVEN, ITSELF),
        "broken": (GOAL, BETWEEN, ITSELF),
    },
)
