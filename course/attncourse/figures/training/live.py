"""Lesson 10's live figure: a small model learns where to look."""

from copy import deepcopy
from functools import cache
from types import SimpleNamespace

import numpy as np
import traitlets

from attncourse.toys.card_game import N_LETTERS, CardReader, deal, train

from ..kit.panel import LABEL, Panel, View, choice, numbers
from ..kit.widgets import ipywidgets
from . import still

MODELS = {
    "whole model": {},
    "no scale": {"scale": 1.0},
    "no positions": {"positions": False},
    "no attention": {"scale": 0.0},
}
STEPS = tuple(range(0, 121, 6))
ALPHABET = np.array(list("ABCDEFGH"))
LETTERS = np.array([3, 0, 5, 1, 7, 2])
NUMBERS = np.array([3, 6, 1, 2, 2, 5]) - 1
CARDS = {
    "queries": [f"{i} asks {n + 1}" for i, n in enumerate(NUMBERS, 1)],
    "keys": [f"{i}: {letter}" for i, letter in enumerate(ALPHABET[LETTERS], 1)],
}


class TrainingView(View, beside=__file__):
    """What attnlib computed at every step of every training; the page shows one."""

    asks = traitlets.List(traitlets.Unicode()).tag(sync=True)
    shows = traitlets.List(traitlets.Unicode()).tag(sync=True)
    alphabet = traitlets.List(traitlets.Unicode()).tag(sync=True)
    answers = traitlets.List(traitlets.Int()).tag(sync=True)
    named = traitlets.List(traitlets.Int()).tag(sync=True)
    models = traitlets.List(traitlets.Unicode()).tag(sync=True)
    steps = traitlets.List(traitlets.Int()).tag(sync=True)
    weights = traitlets.List().tag(sync=True)
    probabilities = traitlets.List().tag(sync=True)
    losses = traitlets.List().tag(sync=True)
    accuracies = traitlets.List().tag(sync=True)
    step = traitlets.Int().tag(sync=True)
    model = traitlets.Int().tag(sync=True)


@cache
def history(name):
    """Train one of `MODELS` and keep it as it was after each of `STEPS`.

    Returns
    -------
    dict of int to SimpleNamespace
        After each number of steps: the ``model``; for the figure's row of cards its
        ``weights``, (6, 6), and ``probabilities``, (6, 8); and for 200 rows that it
        was not trained on the ``loss`` and the ``accuracy``.
    """
    model = CardReader(**MODELS[name])
    test = deal(200, np.random.default_rng(1))
    found = {}
    for step, _ in train(model, STEPS[-1]):
        if step in STEPS:
            found[step] = SimpleNamespace(
                model=deepcopy(model),
                weights=model.weights(LETTERS, NUMBERS)[0],
                probabilities=model(LETTERS, NUMBERS),
                loss=float(model.loss_and_gradients(*test)[0]),
                accuracy=model.accuracy(*test),
            )
    return found


def panel(step=0, model="whole model"):
    """Return the live figure of lesson 10.

    Parameters
    ----------
    step : int
        The steps of training done to begin with: 0, 6, … 120.
    model : str
        "whole model", "no scale", "no positions" or "no attention".

    Returns
    -------
    Panel
        ``compute()`` gives the ``model`` as it was after these steps, and its
        ``weights``, ``probabilities``, ``loss`` and ``accuracy``.

    Raises
    ------
    ValueError
        If there is no such step or model.
    """
    _check("step", step, STEPS)
    _check("model", model, tuple(MODELS))
    runs = [list(history(name).values()) for name in MODELS]
    view = TrainingView(
        asks=CARDS["queries"],
        shows=CARDS["keys"],
        alphabet=ALPHABET[:N_LETTERS].tolist(),
        answers=LETTERS[NUMBERS].tolist(),
        named=NUMBERS.tolist(),
        models=list(MODELS),
        steps=list(STEPS),
        weights=[[numbers(now.weights, 4) for now in run] for run in runs],
        probabilities=[[numbers(now.probabilities, 4) for now in run] for run in runs],
        losses=[numbers([now.loss for now in run], 4) for run in runs],
        accuracies=[numbers([now.accuracy for now in run], 4) for run in runs],
    )
    names = {"options": tuple(MODELS), "value": model, "style": LABEL}
    controls = {
        "step": choice("Steps of training", STEPS, step),
        "model": ipywidgets.ToggleButtons(description="Model", **names),
    }
    return Panel(view, controls, still=lambda: _still(step, model), compute=_compute)


def _still(step, model):
    now = _compute(step, model)
    says = ALPHABET[now.probabilities.argmax(axis=-1)]
    losses = {step: then.loss for step, then in history(model).items()}
    details = (now.weights, CARDS, says, losses, now.accuracy)
    return still.one_moment(model, step, *details)


def _compute(step, model):
    return history(model)[step]


def _check(name, value, known):
    if isinstance(value, bool) or value not in known:
        raise ValueError(f"training: {name} must be one of {known}, got {value!r}")
