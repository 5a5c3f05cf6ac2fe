"""The landing page's live figure: guess what “it” looks at in a real model."""

from typing import NamedTuple

import numpy as np
import traitlets

from attncourse.real_model.head_5_11 import among_words

from ..kit.panel import LABEL, Panel, View, numbers
from ..kit.widgets import ipywidgets
from . import still

ADJECTIVES = ("hungry", "delicious")  # sentences 0 and 1 of the extract
WORDS = ("A", "dog", "ate", "the", "food", "because", "it", "was")
NOT_YET, SHOW_ME, ALL = "not yet", "none, show me", "all of them"
LAST = "the last word"
GUESSES = (NOT_YET, *WORDS, LAST, SHOW_ME)
ASKS = (*WORDS, LAST, ALL)


class GuessView(View, beside=__file__):
    """One head's weights among the words of two sentences, and what is shown of them.

    A guess counts the words from 1: 0 is no guess yet, and one past the last word asks
    to be shown. `asks` counts them from 0: one past the last is all words at once.
    """

    sentences = traitlets.List().tag(sync=True)
    weights = traitlets.List().tag(sync=True)
    adjective = traitlets.Int().tag(sync=True)
    guess = traitlets.Int().tag(sync=True)
    asks = traitlets.Int(WORDS.index("it")).tag(sync=True)


class Looking(NamedTuple):
    """What the chosen word looks at, from the extract.

    Parameters
    ----------
    words : tuple of str
    weights : array, (n_words,), or (n_words, n_words) for all words
        Rows need not add up to 1: the model's two markers around the sentence are
        left out.
    """

    words: tuple[str, ...]
    weights: np.ndarray


def panel(adjective="hungry", guess=NOT_YET, asks="it"):
    """Return the live figure of the landing page.

    Parameters
    ----------
    adjective : str
        The last word: "hungry" or "delicious".
    guess : str
        One of `GUESSES`; "not yet" keeps the weights covered.
    asks : str
        The word whose weights are shown: one of `ASKS`.

    Returns
    -------
    Panel
        ``compute()`` gives the `Looking` of that word.

    Raises
    ------
    ValueError
        If a choice is not one that its control has.
    """
    chosen = {"adjective": adjective, "guess": guess, "asks": asks}
    lists = {"adjective": ADJECTIVES, "guess": GUESSES, "asks": ASKS}
    for name, options in lists.items():
        if chosen[name] not in options:
            rule = f"{name} must be one of {list(options)}"
            raise ValueError(f"guess: {rule}, got {chosen[name]!r}")
    places = {name: lists[name].index(choice) for name, choice in chosen.items()}
    tables = [among_words(i) for i in range(2)]
    sentences = [[*WORDS, last] for last in ADJECTIVES]
    view = GuessView(sentences=sentences, weights=numbers(tables, 3), **places)
    titles = {"adjective": "Last word", "guess": "Your guess", "asks": "Show"}
    kinds = {"adjective": ipywidgets.ToggleButtons}
    controls = {
        name: kinds.get(name, ipywidgets.Dropdown)(
            description=titles[name], options=options, value=chosen[name], style=LABEL
        )
        for name, options in lists.items()
    }
    made = Panel(
        view,
        controls,
        still=lambda: still.no_evidence(sentences, tables),
        compute=_compute,
        exact=tuple(controls),  # words are tapped
    )
    return made.add_class("aw-guess-panel")


def _compute(adjective, guess, asks):
    table = among_words(ADJECTIVES.index(adjective))
    words = (*WORDS, adjective)
    return Looking(words, table if asks == ALL else table[ASKS.index(asks)])
