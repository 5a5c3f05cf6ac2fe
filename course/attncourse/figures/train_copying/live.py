"""Lesson 11's second live figure: the model is trained in the reader's own page."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np

from attncourse.javascript import bundle
from attncourse.toys.copying import LENGTH, N_SYMBOLS, RUNS
from attncourse.toys.copying.measures import history

from ..copying_heads.live import LAYERS, RUN, TEXT
from ..kit.controls import Check
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import numbers
from ..kit.picture import MUTED, WEIGHTS, panels

STEPS = 240
ALPHABET = "ABCDEFGHIJKLMNOPQRST"
MEASURED = ("new", "repeated")
# What `attncourse.toys.copying.train` and `Copier` do unless told otherwise.
TASK = {
    "rows": 32,
    "length": LENGTH,
    "symbols": N_SYMBOLS,
    "runs": list(RUNS),
    "width": 64,
    "rate": 0.005,
}


def trainings(_state, now):
    """Draw the losses of each model over its training, side by side."""
    figure, axes = panels(1, len(LAYERS), size=(6.4, 2.8), sharey=True)
    for axis, name in zip(axes, LAYERS, strict=True):
        for part, line in zip(MEASURED, (":", "-"), strict=True):
            axis.plot(
                now.steps, now.losses[name][part], line, color=WEIGHTS, label=part
            )
        axis.axhline(np.log(N_SYMBOLS), color=MUTED, lw=0.8)
        axis.set(xlabel="steps", title=name)
    axes[0].set(ylabel="loss", ylim=(0, None))  # once both have been drawn
    axes[0].legend(fontsize=8, loc="lower left")
    return figure


def _data():
    """Return what the page trains, and what a training in Python came to."""
    kept = {name: history(n) for name, n in LAYERS.items()}
    return {
        "alphabet": list(ALPHABET),
        "run": TEXT[:RUN].tolist(),
        "total": STEPS,
        "floor": float(np.log(N_SYMBOLS)),
        "task": TASK,
        "worker": bundle(Path(__file__).with_name("worker.js")),
        "steps": list(next(iter(kept.values()))),
        "losses": {
            name: {
                part: numbers([getattr(one, part) for one in found.values()], 2)
                for part in MEASURED
            }
            for name, found in kept.items()
        },
    }


def _compute(positions, scaled):
    without = [
        f", no {name}"
        for name, has in (("positions", positions), ("scale", scaled))
        if not has
    ]
    data = panel.data
    return SimpleNamespace(
        kind="".join(["one layer and two", *without]),
        steps=data["steps"],
        losses=data["losses"],
    )


panel = Figure(
    __file__,
    look="aw-train",
    controls={
        # Whether queries and keys are told their place, and whether scores are divided.
        "positions": Check("positions", True),
        "scaled": Check("scale", True),
    },
    data=_data,
    compute=_compute,
    still=trainings,
    title="Two models that learn to copy, and what they write",
    summary=(
        "Not trained yet: {kind}.",
        "With positions and scale, {steps.-1} steps in Python end at a loss of "
        "{losses.one layer.new.-1:.1f} on new letters and "
        "{losses.one layer.repeated.-1:.1f} on repeated letters with one layer, "
        "{losses.two layers.new.-1:.1f} and {losses.two layers.repeated.-1:.1f} "
        "with two.",
        "Nobody gets below {floor:.1f} on new letters.",
    ),
    tables=Table(
        "Losses in Python, with positions and scale",
        "steps",
        *(
            Line(f"{name}, {part} letters", f"losses.{name}.{part}")
            for name in LAYERS
            for part in MEASURED
        ),
    ),
    said="not trained yet: {kind}",
)
