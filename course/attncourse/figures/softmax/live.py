"""Lesson 4's live figure: scores, their exponentials, shares and the Jacobian."""

from typing import Any, NamedTuple

import numpy as np
import traitlets

import attnlib

from ..kit.checks import check_between, check_three
from ..kit.panel import Panel, View, slider
from . import still

MOST = 3.0
COLDEST, HOTTEST = 0.25, 5.0


class SoftmaxView(View, beside=__file__):
    """Three scores, what is added to all of them, and the temperature."""

    score_1 = traitlets.Float().tag(sync=True)
    score_2 = traitlets.Float().tag(sync=True)
    score_3 = traitlets.Float().tag(sync=True)
    added = traitlets.Float().tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)


class Shares(NamedTuple):
    """What softmax makes of three scores: each of shape (3,), the Jacobian (3, 3)."""

    scores: Any
    exponentials: Any
    weights: Any
    jacobian: Any


def panel(scores=(2.0, 1.0, 0.0), added=0.0, temperature=1.0):
    """Return the live figure of lesson 4.

    Parameters
    ----------
    scores : three numbers, from −3 to 3
        The scores to begin with.
    added : float, from −3 to 3
        What is added to every score.
    temperature : float, from 0.25 to 5
        What every score is then divided by.

    Returns
    -------
    Panel
        ``compute()`` gives the `Shares`, computed by attnlib.

    Raises
    ------
    ValueError
        If a number is outside of its slider's range, or there are not three scores.
    """
    values = check_three("softmax", "scores", scores, check_between, -MOST, MOST)
    added = check_between("softmax", "added", added, -MOST, MOST)
    limits = (COLDEST, HOTTEST)
    temperature = check_between("softmax", "temperature", temperature, *limits)
    names = [f"score_{j}" for j in (1, 2, 3)]
    controls = {
        name: slider(f"Score of key {j}", value, -MOST, MOST, 0.1)
        for j, (name, value) in enumerate(zip(names, values, strict=True), 1)
    }
    controls["added"] = slider("Added to all", added, -MOST, MOST, 0.1)
    controls["temperature"] = slider("Temperature, T", temperature, *limits, 0.05)
    start = {name: control.value for name, control in controls.items()}
    picture = still.shares(*_shares(**start))
    panel = Panel(SoftmaxView(**start), controls, still=picture, compute=_shares)
    return panel.add_class("aw-many")


def _shares(score_1, score_2, score_3, added, temperature):
    scores = (np.array([score_1, score_2, score_3]) + added) / temperature
    weights = attnlib.softmax(scores)
    jacobian = np.diag(weights) - np.outer(weights, weights)
    return Shares(scores, np.exp(scores), weights, jacobian)
