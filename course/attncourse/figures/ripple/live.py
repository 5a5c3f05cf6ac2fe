"""Lesson 8's figure: change one word, and see which rows change, step by step."""

from types import SimpleNamespace

import numpy as np

from attncourse import story
from attncourse.story.layers import STEPS, two_layers

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.grids import grid
from ..kit.panel import choice, numbers
from ..kit.picture import panels
from ..kit.slots import show


def lit(now, columns):
    """Draw how far each row has changed at each step, and what "it" holds then."""
    figure, (top, foot) = panels(2, 1, size=(7.2, 4.4), height_ratios=[5, 1.4])
    look = {"most": 2.0, "text": "{:.2f}", "title": "Changed by"}
    grid(top, now.by_step, rows=now.words, columns=now.steps, **look)
    top.set_aspect("auto")
    it = now.words[3]
    look = {"most": 1.5, "text": "{:.2f}", "title": f"“{it}” after: {now.steps[-1]}"}
    grid(foot, now.rows[3:4], rows=[it], columns=columns, **look)
    foot.set_aspect("auto")
    return figure


WORDS = tuple(story.sentence("hungry"))
INSTEAD = dict.fromkeys(WORDS, "stone") | {"hungry": "delicious"}
CHANGES = {"nothing": "none"} | {f"{a} → {b}": a for a, b in INSTEAD.items()}
IT = WORDS.index("it")


def _compute(change, step):
    """Return the words after a step, and how far each row is from its old self.

    Also the steps so far, (n,), and that distance after each, (5, n); the columns in
    which "it" holds more than one half, and the rows that changed, in words.
    """
    words = tuple(INSTEAD[word] if word == change else word for word in WORDS)
    now, before = (two_layers(_rows(one)).rows for one in (words, WORDS))
    seen = STEPS[: STEPS.index(step) + 1]
    by_step = np.linalg.norm([now[one] - before[one] for one in seen], axis=2).T
    apart, rows = by_step[:, -1], now[step]
    held = [name for name, x in zip(story.COLUMNS, rows[IT], strict=True) if x > 0.5]
    pairs = zip(words, apart, strict=True)
    lit = [f"{word} {show(far, '.2f')}" for word, far in pairs if far >= 0.005]
    return SimpleNamespace(
        words=words,
        rows=rows,
        apart=apart,
        steps=seen,
        by_step=by_step,
        held=held or ["nothing"],
        lit=lit or ["none"],
    )


def _rows(words):
    """Embed words; a stone is a row of zeros, nothing that can be read."""
    known = story.embed(["dog" if word == "stone" else word for word in words])
    return known * [[word != "stone"] for word in words]


def _stored():
    """Return what the page shows, for every change: words, rows and distances."""
    every = [[_compute(change, step) for step in STEPS] for change in CHANGES.values()]
    return {
        "changes": tuple(CHANGES.values()),
        "columns": story.COLUMNS,
        "all_steps": STEPS,
        "sentences": [row[-1].words for row in every],
        "all_rows": [numbers([one.rows for one in row], 4) for row in every],
        "all_apart": [numbers(row[-1].by_step.T, 4) for row in every],
    }


panel = Figure(
    __file__,
    controls={
        "change": Choice("Change", "hungry", CHANGES),
        "step": Choice("Step", "words", STEPS, look=choice),
    },
    data=_stored,
    compute=_compute,
    still=lambda state, now: lit(now, story.COLUMNS),
    title="One word is changed, and the rows that change with it, step by step",
    summary=("After {step}, “{words.3}” holds: {held}.", "Rows changed: {lit}."),
    tables=(
        Matrix("How far each row has changed", "words", "steps", "by_step"),
        Matrix("The rows after the last of these steps", "words", "columns", "rows"),
    ),
    said=("Rows changed: {lit}", "“{words.3}” holds: {held}"),
)
