"""Lesson 11's second live figure: the model is trained in the reader's own page."""

from functools import cache
from pathlib import Path

import numpy as np
import traitlets

from attncourse.toys.copying import LENGTH, N_SYMBOLS, RUNS
from attncourse.toys.copying.measures import history

from ..copying_heads.live import LAYERS, LETTERS, RUN, TEXT
from ..kit.javascript import bundle
from ..kit.panel import LABEL, Panel, View
from ..kit.widgets import ipywidgets
from . import still

STEPS = 240
# What `attncourse.toys.copying.train` and `Copier` do unless told otherwise.
TASK = {
    "rows": 32,
    "length": LENGTH,
    "symbols": N_SYMBOLS,
    "runs": list(RUNS),
    "width": 64,
    "rate": 0.005,
}


class TrainCopyingView(View, beside=__file__):
    """Trains in a worker made from ``worker``, its source, when the reader says so."""

    letters = traitlets.List(traitlets.Unicode()).tag(sync=True)
    text = traitlets.List(traitlets.Int()).tag(sync=True)
    run = traitlets.Int().tag(sync=True)
    steps = traitlets.Int().tag(sync=True)
    floor = traitlets.Float().tag(sync=True)
    task = traitlets.Dict().tag(sync=True)
    worker = traitlets.Unicode().tag(sync=True)
    layers = traitlets.Int().tag(sync=True)
    positions = traitlets.Bool().tag(sync=True)
    scaled = traitlets.Bool().tag(sync=True)


def panel(layers="one layer", *, positions=True, scaled=True):
    """Return the figure in which lesson 11's model is trained.

    Parameters
    ----------
    layers : str
        "one layer" or "two layers".
    positions : bool
        Whether queries and keys are told their place.
    scaled : bool
        Whether the scores are divided by √d_k.

    Returns
    -------
    Panel
        ``compute()`` trains the chosen model in Python, from other random numbers than
        the page's, and gives what `toys.copying.measures.history` has for it.

    Raises
    ------
    ValueError
        If there is no such model, or a switch is neither True nor False.
    """
    _check("layers", layers, tuple(LAYERS))
    _check("positions", positions, (True, False))
    _check("scaled", scaled, (True, False))
    view = TrainCopyingView(
        letters=LETTERS,
        text=TEXT.tolist(),
        run=RUN,
        steps=STEPS,
        floor=float(np.log(N_SYMBOLS)),
        task=TASK,
        worker=bundle(Path(__file__).with_name("worker.js")),
    )
    names = {"options": tuple(LAYERS), "value": layers, "style": LABEL}
    box = {"indent": False, "style": LABEL}
    controls = {
        "layers": ipywidgets.ToggleButtons(description="Model", **names),
        "positions": ipywidgets.Checkbox(
            value=positions, description="positions", **box
        ),
        "scaled": ipywidgets.Checkbox(value=scaled, description="scale", **box),
    }
    made = Panel(view, controls, still=_still, compute=_compute)
    return made.add_class("aw-train")


def _compute(layers, positions, scaled):
    return history(LAYERS[layers], positions=positions, scale=None if scaled else 1.0)


@cache
def _still():
    curves = {
        name: {
            part: {step: getattr(now, part) for step, now in history(n).items()}
            for part in ("new", "repeated")
        }
        for name, n in LAYERS.items()
    }
    return still.trainings(curves, float(np.log(N_SYMBOLS)))


def _check(name, value, known):
    if not isinstance(value, type(known[0])) or value not in known:
        raise ValueError(f"train_copying: {name} must be one of {known}, got {value!r}")
