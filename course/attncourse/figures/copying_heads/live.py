"""Lesson 11's live figure: two heads that learn to copy, or one that cannot."""

import numpy as np
import traitlets

from attncourse.toys.copying import N_SYMBOLS
from attncourse.toys.copying.measures import STEPS, history

from ..kit.panel import LABEL, Panel, View, choice, numbers
from ..kit.widgets import ipywidgets
from . import still

LAYERS = {"one layer": 1, "two layers": 2}
RUN, TEXT = 7, np.array([2, 0, 5, 17, 9, 4, 12] * 2)
LETTERS = ["ABCDEFGHIJKLMNOPQRST"[i] for i in TEXT]
# What copying needs: in the first run to look at the symbol before, then at the
# symbol that followed last time.
BEFORE = [(i, i - 1) for i in range(1, RUN + 1)]
AFTER = [(i, i - RUN + 1) for i in range(RUN, len(TEXT))]
NEEDED = {1: [AFTER], 2: [BEFORE, AFTER]}


class CopyingHeadsView(View, beside=__file__):
    """What attnlib computed at every step of both trainings; the page shows one."""

    letters = traitlets.List(traitlets.Unicode()).tag(sync=True)
    run = traitlets.Int().tag(sync=True)
    steps = traitlets.List(traitlets.Int()).tag(sync=True)
    weights = traitlets.List().tag(sync=True)
    new = traitlets.List().tag(sync=True)
    repeated = traitlets.List().tag(sync=True)
    right = traitlets.List().tag(sync=True)
    floor = traitlets.Float().tag(sync=True)
    step = traitlets.Int().tag(sync=True)
    layers = traitlets.Int().tag(sync=True)


def panel(step=0, layers="two layers"):
    """Return the live figure of lesson 11.

    Parameters
    ----------
    step : int
        The steps of training done to begin with: 0, 10, … 160.
    layers : str
        "one layer" or "two layers".

    Returns
    -------
    Panel
        ``compute()`` gives what `toys.copying.measures.history` has for them.

    Raises
    ------
    ValueError
        If there is no such step or model.
    """
    _check("step", step, STEPS)
    _check("layers", layers, tuple(LAYERS))
    runs = [list(history(n).values()) for n in LAYERS.values()]
    view = CopyingHeadsView(
        letters=LETTERS,
        run=RUN,
        steps=list(STEPS),
        weights=[[_triangles(now.model) for now in run] for run in runs],
        floor=float(np.log(N_SYMBOLS)),
        **{
            name: [numbers([getattr(now, name) for now in run], 2) for run in runs]
            for name in ("new", "repeated", "right")
        },
    )
    names = {"options": tuple(LAYERS), "value": layers, "style": LABEL}
    controls = {
        "step": choice("Steps of training", STEPS, step),
        "layers": ipywidgets.ToggleButtons(description="Model", **names),
    }
    return Panel(view, controls, still=lambda: _still(step, layers), compute=_compute)


def _triangles(model):
    """Round the weights of each layer; row i ends with key i, the last one it sees."""
    return [
        [numbers(row[: i + 1], 2) for i, row in enumerate(matrix)]
        for matrix in model.weights(TEXT)
    ]


def _still(step, layers):
    n_layers, floor = LAYERS[layers], float(np.log(N_SYMBOLS))
    curves = {
        f"{name} letters": {
            at: getattr(now, name) for at, now in history(n_layers).items()
        }
        for name in ("new", "repeated")
    }
    weights = _compute(step, layers).model.weights(TEXT)
    return still.one_moment(step, LETTERS, weights, NEEDED[n_layers], curves, floor)


def _compute(step, layers):
    return history(LAYERS[layers])[step]


def _check(name, value, known):
    if isinstance(value, bool) or value not in known:
        raise ValueError(f"copying_heads: {name} must be one of {known}, got {value!r}")
