"""Live figure: change a word, and see which outputs change under a mask."""

from types import SimpleNamespace

import numpy as np

from attncourse import story
from attncourse.story.layers import layers, tidy, two_layers
from attnlib import causal_mask

from ..kit.controls import Cells, Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Matrix, Table
from ..kit.grids import grid
from ..kit.panel import numbers
from ..kit.picture import KEY, QUERY, VALUE, on_phone, panels


def leak(now, words):
    """Draw the weights under a mask beside the rows before and after a change."""
    ratios = [len(words), 2, 2]
    figure, axes = panels(1, 3, size=(7.2, 3.0), phone=6.6, width_ratios=ratios)
    look = {"most": 1.0, "text": "{:.2f}", "size": 8}
    names = {"rows": words, "columns": words}
    grid(axes[0], now.weights, title="Weights", **names, **look)
    look |= {"columns": ("alive", "edible"), "color": VALUE}
    look |= {"rows": words if on_phone() else ()}  # they stand below, not beside
    lit = [(i, j) for i in np.flatnonzero(now.changed) for j in range(2)]
    grid(axes[1], now.before, title="Before", **look)
    grid(axes[2], now.after, title="and after", lit=lit, **look)
    axes[0].tick_params(axis="y", labelcolor=QUERY, labelsize=8)
    axes[0].tick_params(axis="x", labelcolor=KEY, labelsize=8)
    for axis in axes[1:]:
        axis.tick_params(labelsize=8)
    return figure


SENTENCE = story.sentence("hungry")
N = len(SENTENCE)
WORDS = tuple(story.WORDS)


def _compute(ahead, place, word, flipped):
    """Compute the mask, the weights under it, and the rows before and after."""
    allowed = causal_mask(N, query_offset=ahead)
    allowed.flat[list(flipped)] ^= True
    now = [*SENTENCE[: place - 1], word, *SENTENCE[place:]]
    both = [two_layers(story.embed(words), allowed) for words in (SENTENCE, now)]
    read = [story.ALIVE, story.EDIBLE]
    before, after = (rows["network 2"][:, read] for rows, _ in both)
    weights = both[1][1][1]  # of the changed sentence, in the second layer
    changed = (np.abs(after - before) > 1e-9).any(axis=-1)
    leaks = [now[i] for i in range(place - 1) if changed[i]]
    return SimpleNamespace(
        sentence=now,
        old=SENTENCE[place - 1],
        allowed=allowed,
        weights=weights,
        seen=np.where(allowed, weights, None),
        changed=changed,
        before=before,
        after=after,
        held=np.stack([*before.T, *after.T]),
        leaks=leaks,
        case="same" if word == SENTENCE[place - 1] else "leak" if leaks else "none",
    )


HELD = ("alive, before", "edible, before", "alive", "edible")
panel = Figure(
    __file__,
    controls={
        "ahead": Slider("Look ahead", N - 1, 0, N - 1, 1),
        "place": Slider("Position", N, 1, N, 1, place="exact"),
        "word": Choice("New word", "delicious", WORDS, place="exact"),
        "flipped": Cells("Pairs that differ from the mask", (), N * N),
    },
    solved={"ahead": 0},
    data=lambda: {
        "words": WORDS,
        "rows": numbers(story.embed(WORDS)),
        "began": SENTENCE,
        "layers": [[numbers(w) for w in one] for one in layers()],
        "network": [numbers(w) for w in tidy()],
    },
    compute=_compute,
    still=lambda _, now: leak(now, now.sentence),
    title="Which rows a changed word reaches under a mask",
    summary={
        "same": "Nothing is changed yet: press a word.",
        "leak": ("“{old}” became “{word}”.", "Earlier rows that changed: {leaks}."),
        "none": ("“{old}” became “{word}”.", "No earlier row changed."),
    },
    tables=(
        Matrix(
            "Weights in layer 2",
            "sentence",
            "sentence",
            "seen",
            none="forbidden",
            flips="flipped",
            flip="forbid a pair, or allow it",
        ),
        Table(
            "What the rows hold in the end",
            "sentence",
            *(Line(one, f"held.{i}") for i, one in enumerate(HELD[:2])),
            *(
                Line(one, f"held.{i}", source="seen")
                for i, one in enumerate(HELD[2:], 2)
            ),
            Line("changed", "changed"),
        ),
    ),
    said={
        "same": "Nothing is changed yet: press a word.",
        "leak": ("Earlier rows that changed: {leaks}", "“{old}” became “{word}”"),
        "none": ("No earlier row changed", "“{old}” became “{word}”"),
    },
)
