"""The machine: one picture of the whole step, which grows from lesson 2 to lesson 9."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import traitlets

from ..kit.checks import check_whole
from ..kit.panel import Panel, View, numbers
from . import still
from .given import ADJECTIVES, LESSONS, given, names
from .parts import FACTORS, PARTS
from .plan import CELL, WIDTH, plan
from .tables import tables

BEGINNING = "A dog ate the food because it was"


class MachineView(View, beside=__file__):
    """What the machine starts from, where all stands, and what a reader changed.

    `edits` has a list [block, matrix, row, column, number] for each number that was
    changed; `adjective` is the sentence's last word.
    """

    parts = traitlets.Dict().tag(sync=True)
    factors = traitlets.Dict().tag(sync=True)
    plan = traitlets.Dict().tag(sync=True)
    given = traitlets.Dict().tag(sync=True)
    stage = traitlets.Int().tag(sync=True)
    adjective = traitlets.Unicode().tag(sync=True)
    masked = traitlets.Bool().tag(sync=True)
    edits = traitlets.List().tag(sync=True)


class Computed(NamedTuple):
    """What attnlib computes from the numbers that the machine shows.

    Parameters
    ----------
    traces : tuple of AttentionTrace
        One for each head or layer, with all matrices from X to the output.
    output : array, (n_tokens, d_v) or (n_tokens, d_model)
        What comes out at the end: the output of one head; what two heads add to the
        words' rows; the rows after two layers.
    """

    traces: tuple[Any, ...]
    output: Any


def panel(stage=5, adjective="hungry"):
    """Return the machine of one lesson.

    Parameters
    ----------
    stage : int
        The lesson, from 2 to 9: what comes later is an outline.
    adjective : str
        The sentence's last word, "hungry" or "delicious".

    Returns
    -------
    Panel
        ``compute()`` gives the `Computed` of the numbers as they were changed.

    Raises
    ------
    ValueError
        If there is no such lesson or word.
    """
    check_whole("machine", "stage", stage, LESSONS.start, LESSONS.stop - 1)
    if adjective not in ADJECTIVES:
        rule = f"adjective must be one of {list(ADJECTIVES)}"
        raise ValueError(f"machine: {rule}, got {adjective!r}")
    start = given(stage)
    placed = plan(_sizes(start), stage)
    view = MachineView(
        parts=PARTS,
        factors=FACTORS,
        plan=_as_dict(placed),
        given=_as_traits(start),
        stage=stage,
        adjective=adjective,
        masked=stage == 9,
    )
    shown = tables(start, ADJECTIVES.index(adjective), masked=view.masked)[0][1]
    return Panel(
        view,
        {},
        still=lambda: still.machine(placed, names(start, adjective), shown, stage),
        compute=partial(_compute, view, start),
    )


def _sizes(start):
    """Return how many rows and columns each part has."""
    count = {kind: len(each) for kind, each in names(start).items()}
    return {
        name: (count[part.rows], count[part.columns]) for name, part in PARTS.items()
    }


def _as_dict(placed):
    matrices = [one._asdict() for one in placed.matrices]
    return placed._asdict() | {"matrices": matrices, "cell": CELL, "width": WIDTH}


def _as_traits(start):
    blocks = [
        {
            "name": one.name,
            "asks": list(one.asks),
            "gives": list(one.gives),
            "WQ": numbers(one.layer.w_query),
            "WK": numbers(one.layer.w_key),
            "WV": numbers(one.layer.w_value),
            "WO": numbers(one.w_output),
        }
        for one in start.blocks
    ]
    return {
        "beginning": BEGINNING,
        "adjectives": list(ADJECTIVES),
        "columns": list(start.columns),
        "sentences": [list(words) for words in start.sentences],
        "rows": [numbers(x) for x in start.rows],
        "blocks": blocks,
        "network": [_plain(array) for array in start.network or ()],
    }


def _plain(array):
    return np.asarray(array).tolist()


def _compute(view, start):
    at = ADJECTIVES.index(view.adjective)
    found = tables(start, at, view.edits, view.masked)
    last = found[-1][1]
    names = ("N",) if start.network else ("Z",) if len(found) > 1 else ("O",)
    return Computed(tuple(trace for trace, _ in found), last[names[0]])
