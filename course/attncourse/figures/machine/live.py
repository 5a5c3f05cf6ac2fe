"""The machine: one picture of the whole step, which grows from lesson 2 to lesson 9."""

from functools import partial
from typing import Any, NamedTuple

import traitlets

from ..kit.checks import check_whole
from ..kit.panel import Panel, View
from . import still
from .inputs import ADJECTIVES, DECODER, LESSONS, as_traits, given
from .plan import CELL, WIDTH, plan_of
from .tables import FACTORS, PARTS, tables


class MachineView(View, beside=__file__):
    """What the machine starts from, where all stands, and what a reader changed.

    `machines` has what is given and the plan of each lesson, by its number. `choice`
    counts the last words. `edits` has a list [block, matrix, row, column, number] for
    each number that was changed. `linked` keeps all this in the page's address.
    """

    parts = traitlets.Dict().tag(sync=True)
    factors = traitlets.Dict().tag(sync=True)
    machines = traitlets.Dict().tag(sync=True)
    stage = traitlets.Int().tag(sync=True)
    choice = traitlets.Int().tag(sync=True)
    masked = traitlets.Bool().tag(sync=True)
    edits = traitlets.List().tag(sync=True)
    linked = traitlets.Bool().tag(sync=True)


class Computed(NamedTuple):
    """What attnlib computes from the numbers that the machine shows.

    Parameters
    ----------
    traces : tuple of AttentionTrace
        One for each head or layer, with all matrices from X to the output; none of
        the decoder, which attends to another sentence.
    output : array, (n_tokens, d_v) or (n_tokens, d_model)
        What comes out at the end: the output of one head; what two heads add to the
        words' rows; the rows after two layers.
    """

    traces: tuple[Any, ...]
    output: Any


def panel(stage=5, adjective="hungry", *, whole=False):
    """Return the machine of one lesson.

    Parameters
    ----------
    stage : int
        The lesson, from 2 to 9: what comes later is an outline. `DECODER` shows a
        sentence that asks another.
    adjective : str
        The sentence's last word, "hungry" or "delicious".
    whole : bool
        Whether a reader may choose the lesson too, and what they change is kept in the
        page's address.

    Returns
    -------
    Panel
        ``compute()`` gives the `Computed` of the numbers as they were changed.

    Raises
    ------
    ValueError
        If there is no such lesson or word.
    """
    check_whole("machine", "stage", stage, LESSONS.start, DECODER)
    if adjective not in ADJECTIVES:
        rule = f"adjective must be one of {list(ADJECTIVES)}"
        raise ValueError(f"machine: {rule}, got {adjective!r}")
    choice = ADJECTIVES.index(adjective)
    view = MachineView(
        parts=PARTS,
        factors=FACTORS,
        machines={str(n): _one(n) for n in ([*LESSONS, DECODER] if whole else [stage])},
        stage=stage,
        choice=choice,
        masked=given(stage).masks,
        linked=whole,
    )
    return Panel(
        view,
        {},
        still=lambda: still.machine(stage, choice),
        compute=partial(_compute, view),
    )


def _one(stage):
    start = given(stage)
    return {"given": as_traits(start), "plan": _as_dict(plan_of(stage))}


def _as_dict(placed):
    matrices = [one._asdict() for one in placed.matrices]
    return placed._asdict() | {"matrices": matrices, "cell": CELL, "width": WIDTH}


def _compute(view):
    start = given(view.stage)
    found = tables(start, view.choice, view.edits, view.masked)
    name = "N" if start.network else "Z" if len(found) > 1 else "O"
    traces = tuple(trace for trace, _ in found if trace)
    return Computed(traces, found[-1][1][name])
