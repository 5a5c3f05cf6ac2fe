"""The landing page's live figure: guess what “it” looks at in a real model."""

from types import SimpleNamespace

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from attncourse.real_model.head_5_11 import among_words

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.panel import menu, numbers
from ..kit.picture import INK, MUTED, QUERY, WEIGHTS, panels

IT = 6
SIZE = 10.5  # of the words, in points
HIGH = 1.6  # of the longest arc


def no_evidence(sentences, tables):
    """Draw what “it” looks at in both sentences, then what every word looks at."""
    figure, axes = panels(3, 1, size=(4.4, 5.4))
    rows = (sentences[0], sentences[1], sentences[1])
    for axis, words, lit in zip(axes, rows, ([IT], [IT], range(9)), strict=True):
        table = tables[int(words is sentences[1])]
        middles = _write(axis, words, lit)
        for i in lit:
            for j, weight in enumerate(table[i]):
                _arc(axis, middles[i], middles[j], weight if len(lit) == 1 else 0)
            best = int(table[i].argmax())
            if len(lit) > 1:
                _arc(axis, middles[i], middles[best], table[i, best])
    first, second = (table[IT].argmax() for table in tables)
    titles = [
        f"“it” looks at “{words[j]}”: {table[IT, j]:.2f}"
        for words, table, j in zip(sentences, tables, (first, second), strict=True)
    ]
    titles.append("but so does every other word")
    for axis, title in zip(axes, titles, strict=True):
        axis.set_title(title)
    return figure


def _write(axis, words, lit):
    """Write the words along the foot; return the middle of each."""
    widths = np.array([max(2.2, len(word) + 1.2) for word in words])
    middles = widths.cumsum() - widths / 2
    for i, (x, word) in enumerate(zip(middles, words, strict=True)):
        color = QUERY if i in lit and len(lit) == 1 else INK
        axis.text(x, -0.12, word, ha="center", va="top", fontsize=SIZE, color=color)
    axis.set(xlim=(0, widths.sum()), ylim=(-0.55, HIGH))
    axis.set_axis_off()
    axis.plot([0, widths.sum()], [0, 0], color=MUTED, lw=0.5)
    return middles


def _arc(axis, start, end, weight):
    """Draw an arc as wide as its weight; from a word to itself, a loop."""
    high = 2 * HIGH * min(abs(start - end) / 34 + 0.12, 0.6)
    bend = 0.9 if start == end else 0
    points = [(start - bend, 0), (start - bend, high), (end + bend, high)]
    path = Path([*points, (end + bend, 0)], [1, 4, 4, 4])
    axis.add_patch(PathPatch(path, fill=False, ec=WEIGHTS, lw=9 * weight, alpha=0.8))


ADJECTIVES = ("hungry", "delicious")  # sentences 0 and 1 of the extract
WORDS = ("A", "dog", "ate", "the", "food", "because", "it", "was")
SHOW_ME, ALL, LAST = "none, show me", "all of them", "the last word"
PLACES = (*WORDS, LAST)
GUESSES = {"not yet": None} | {one: one for one in (*PLACES, SHOW_ME)}
TABLES = [numbers(among_words(i), 3) for i in range(2)]


def _compute(adjective, guess, second, asks):
    """Compute what the chosen word looks at, and what is said of that.

    Weights need not add up to 1: the model's two markers around the sentence are left
    out. None where they are covered.
    """
    again, words = adjective == ADJECTIVES[1], (*WORDS, adjective)
    table, now = np.array(TABLES[again]), second if again else guess
    rows = range(len(words)) if asks == ALL else [PLACES.index(asks)]
    best, guessed = int(table[IT].argmax()), None
    if now is None:
        case = "ask again" if again else "ask"
    elif asks == ALL:
        case = "all"
    elif asks != "it":
        case = "other"
    else:
        case = "again" if again else "first"
        guessed = None if now == SHOW_ME else PLACES.index(now)
        case += "" if guessed is None else " right" if guessed == best else " wrong"
    given = table[:, best]
    return SimpleNamespace(
        words=words,
        rows=[words[i] for i in rows],
        weights=[[None] * len(words) if now is None else table[i] for i in rows],
        best=words[best],
        who=words[rows[0]],
        most=table[rows[0]].max(),
        of_it=[one[IT][best] for one in TABLES],
        least=given.min(),
        largest=given.max(),
        yours="" if guessed is None else words[guessed],
        gets=0 if guessed is None else table[IT, guessed],
        case=case,
    )


def _said():
    """Return what is said in each case, most important first."""
    yours = {
        "": (),
        " right": ("You guessed it",),
        " wrong": ("Your guess, “{yours}”, gets {gets:.2f}",),
    }
    first = "“it” looks at “{best}”, with {most:.2f} of its attention"
    again = "Still “{best}”: {most:.2f}, and it was {of_it.0:.2f} before"
    how = "Tap a word, or press Enter on it"
    return {
        "ask": ("Which word do you think “it” looks at?", how),
        "ask again": ("Now it was {adjective}", "Which word now?", how),
        "all": (
            "Every word looks most at “{best}”: {least:.2f} to {largest:.2f}",
            "“it” gives it {of_it.0:.2f} with “hungry”, {of_it.1:.2f} with “delicious”",
        ),
        "other": ("“{who}” looks at “{best}” too: {most:.2f}",),
        **{f"first{end}": (first, *more) for end, more in yours.items()},
        **{f"again{end}": (again, *more) for end, more in yours.items()},
    }


def _sentences(clauses):
    return [one if one.endswith("?") else f"{one}." for one in clauses]


def _menu_of_guesses(label):
    return Choice(label, None, GUESSES, place="exact", look=menu, optional=True)


SAID = _said()
panel = Figure(
    __file__,
    look="aw-guess-panel",
    controls={
        "adjective": Choice("Last word", "hungry", ADJECTIVES, place="exact"),
        "guess": _menu_of_guesses("Your guess"),
        "second": _menu_of_guesses("Second guess"),
        "asks": Choice("Show", "it", (*PLACES, ALL), place="exact", look=menu),
    },
    solved={"adjective": "delicious", "second": SHOW_ME, "asks": ALL},
    data=lambda: {
        "adjectives": ADJECTIVES,
        "places": PLACES,
        "tables": TABLES,
        "others": (SHOW_ME, ALL),
    },
    compute=_compute,
    still=lambda state, now: no_evidence(
        [[*WORDS, last] for last in ADJECTIVES], np.array(TABLES)
    ),
    title="What “it” looks at in a head of a real model",
    summary={case: _sentences(clauses) for case, clauses in SAID.items()},
    tables=Matrix("What a word gives to each", "rows", "words", "weights", none="?"),
    said=SAID,
)
