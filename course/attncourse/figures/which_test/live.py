"""Live figure: choose the inputs of a test, and see which bugs go unnoticed."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from attncourse.shipped import BUGS, PROBES, tells_apart

from ..kit.controls import Cells
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.picture import INK, KEY, MUTED, panels


def marks(now, names, inputs):
    """Draw a row for each bug and a column for each input."""
    figure, axis = panels(size=(4.0, 6.2), phone=6.2)
    for (row, column), shown in np.ndenumerate(np.array(now.seen, dtype=object)):
        text, color = ("✗", INK) if shown else ("–" if shown is False else "", MUTED)
        axis.text(column, row, text, ha="center", va="center", color=color, fontsize=9)
    axis.set(xlim=(-0.6, len(inputs) - 0.4), ylim=(len(names) - 0.4, -0.6))
    axis.set_xticks(range(len(inputs)), [f"{i}" for i in range(1, len(inputs) + 1)])
    axis.set_yticks(range(len(names)), names)
    axis.tick_params(labelsize=9, length=0, top=False, labeltop=True, labelbottom=False)
    for label, name in zip(axis.get_yticklabels(), names, strict=True):
        if name in now.missed:
            label.set(color=KEY, fontweight="bold")
    axis.spines[:].set_visible(False)
    return figure


SUSPECTS = ("tile", "sentinel", "dropout")  # the lesson tells of them later
TOLD = tuple(name for name in BUGS if name not in SUSPECTS)
LOOKED = "the weights asked for too"
INPUTS = (*PROBES, LOOKED)


@cache
def shows():
    """Say of each bug and each input whether the input shows the bug."""
    return [[bool(_shows(BUGS[name], probe)) for probe in INPUTS] for name in TOLD]


def _shows(bug, probe):
    rng = np.random.default_rng(0)
    if probe in PROBES:
        return tells_apart(PROBES[probe], bug, rng)
    how = {"need_weights": True}  # a thing that one of them can do
    able = bug.name == "observer"
    return able and tells_apart(PROBES["batch and heads"], bug, rng, **how)


def _compute(chosen):
    run = [j in chosen for j in range(len(INPUTS))]
    seen = [
        [shown if used else None for shown, used in zip(row, run, strict=True)]
        for row in shows()
    ]
    missed = [n for n, row in zip(TOLD, seen, strict=True) if not any(row)]
    return SimpleNamespace(
        run=[run],
        seen=seen,
        missed=missed,
        n_run=sum(run),
        n_seen=len(TOLD) - len(missed),
        case="some" if missed else "all",
    )


COUNT = "{n_run} of {n_inputs} inputs: {n_seen} of {n_bugs} bugs noticed."
panel = Figure(
    __file__,
    controls={
        "chosen": Cells("Inputs that are run", tuple(range(len(INPUTS))), len(INPUTS))
    },
    solved={"chosen": (3, 4, 5)},
    data=lambda: {
        "bugs": TOLD,
        "inputs": INPUTS,
        "shows": shows(),
        "what": ["run"],
        "n_inputs": len(INPUTS),
        "n_bugs": len(TOLD),
    },
    compute=_compute,
    still=lambda _, now: marks(now, TOLD, INPUTS),
    title="Which inputs show which bugs",
    summary={
        "some": (COUNT, "Unnoticed: {missed}."),
        "all": (COUNT, "None is missed."),
    },
    tables=(
        Matrix(
            "Inputs that are run",
            "what",
            "inputs",
            "run",
            flips="chosen",
            flip="run an input, or leave it out",
        ),
        Matrix(
            "Does the input show the bug",
            "bugs",
            "inputs",
            "seen",
            none="not run",
            source="run",
        ),
    ),
    said={
        "some": ("{n_seen} of {n_bugs} bugs noticed", "{n_run} inputs run"),
        "all": ("All {n_bugs} bugs noticed, with {n_run} inputs",),
    },
)
