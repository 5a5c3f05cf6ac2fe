"""Lesson 11's second live figure: the model is trained in the reader's own page."""

from functools import cache
from pathlib import Path

import numpy as np
import traitlets

from attncourse.javascript import bundle
from attncourse.toys.copying import LENGTH, N_SYMBOLS, RUNS
from attncourse.toys.copying.measures import history

from ..copying_heads.live import LAYERS, RUN, TEXT
from ..kit.panel import LABEL, Panel, View
from ..kit.picture import MUTED, WEIGHTS, panels, picture
from ..kit.widgets import ipywidgets


@picture
def trainings(curves, floor):
    """Draw the losses of each model over its training, side by side.

    Parameters
    ----------
    curves : dict of str to dict of str to dict of int to float
        For each model the loss on "new" and on "repeated" letters after each number of
        steps.
    floor : float
        What nobody can get below on new letters.
    """
    figure, axes = panels(1, len(curves), size=(6.4, 2.8), sharey=True)
    says = []
    for axis, (name, losses) in zip(axes, curves.items(), strict=True):
        for (part, loss), line in zip(losses.items(), (":", "-"), strict=True):
            axis.plot(list(loss), list(loss.values()), line, color=WEIGHTS, label=part)
        axis.axhline(floor, color=MUTED, lw=0.8)
        axis.set(xlabel="steps", title=name)
        ends = ", ".join(
            f"{list(loss.values())[-1]:.1f} on {part} letters"
            for part, loss in losses.items()
        )
        says.append(f"{name} ends at {ends}")
    axes[0].set(ylabel="loss", ylim=(0, None))  # once both have been drawn
    axes[0].legend(fontsize=8, loc="lower left")
    steps = max(max(loss) for losses in curves.values() for loss in losses.values())
    return figure, (
        f"Loss over {steps} steps of training, with the floor of {floor:.1f} on new "
        f"letters: {'; '.join(says)}."
    )


STEPS = 240
ALPHABET = "ABCDEFGHIJKLMNOPQRST"
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
    """Trains in workers made from ``worker``, its source, when the reader says so."""

    alphabet = traitlets.List(traitlets.Unicode()).tag(sync=True)
    run = traitlets.List(traitlets.Int()).tag(sync=True)
    steps = traitlets.Int().tag(sync=True)
    floor = traitlets.Float().tag(sync=True)
    task = traitlets.Dict().tag(sync=True)
    worker = traitlets.Unicode().tag(sync=True)
    positions = traitlets.Bool().tag(sync=True)
    scaled = traitlets.Bool().tag(sync=True)


def panel(*, positions=True, scaled=True):
    """Return the figure in which lesson 11's models are trained, side by side.

    Parameters
    ----------
    positions : bool
        Whether queries and keys are told their place.
    scaled : bool
        Whether the scores are divided by √d_k.

    Returns
    -------
    Panel
        ``compute()`` trains the models in Python, from other random numbers than the
        page's: for "one layer" and "two layers" what
        `attncourse.toys.copying.measures.history` has.

    Raises
    ------
    ValueError
        If a switch is neither True nor False.
    """
    _check("positions", positions)
    _check("scaled", scaled)
    view = TrainCopyingView(
        alphabet=list(ALPHABET),
        run=TEXT[:RUN].tolist(),
        steps=STEPS,
        floor=float(np.log(N_SYMBOLS)),
        task=TASK,
        worker=bundle(Path(__file__).with_name("worker.js")),
    )
    box = {"indent": False, "style": LABEL}
    controls = {
        "positions": ipywidgets.Checkbox(
            value=positions, description="positions", **box
        ),
        "scaled": ipywidgets.Checkbox(value=scaled, description="scale", **box),
    }
    made = Panel(view, controls, still=_still, compute=_compute)
    return made.add_class("aw-train")


def _compute(positions, scaled):
    how = {"positions": positions, "scale": None if scaled else 1.0}
    return {name: history(n, **how) for name, n in LAYERS.items()}


@cache
def _still():
    curves = {
        name: {
            part: {step: getattr(now, part) for step, now in found.items()}
            for part in ("new", "repeated")
        }
        for name, found in _compute(positions=True, scaled=True).items()
    }
    return trainings(curves, float(np.log(N_SYMBOLS)))


def _check(name, value):
    if not isinstance(value, bool):
        rule = f"{name} must be True or False"
        raise ValueError(f"train_copying: {rule}, got {value!r}")
