"""Lesson 4's live figure: drag three scores, and see how the keys share the weight."""

from typing import Any, NamedTuple

import numpy as np
import traitlets

import attnlib

from ..kit.checks import check_between, check_three
from ..kit.panel import Panel, View, slider
from . import still

WORDS = ("dog", "food", "it")
MOST = 4.0
FARTHEST = 2.0
COLDEST, HOTTEST = 0.25, 5.0


class SoftmaxView(View, beside=__file__):
    """Three scores, what is added to all of them, and the temperature."""

    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    score_1 = traitlets.Float().tag(sync=True)
    score_2 = traitlets.Float().tag(sync=True)
    score_3 = traitlets.Float().tag(sync=True)
    added = traitlets.Float().tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)


class Shares(NamedTuple):
    """What softmax makes of three scores: each of shape (3,)."""

    scores: Any
    exponentials: Any
    weights: Any


def panel(scores=(2.0, 1.0, 0.0), added=0.0, temperature=1.0):
    """Return the live figure of lesson 4.

    Parameters
    ----------
    scores : three numbers, from −4 to 4
        The scores to begin with.
    added : float, from −2 to 2
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
    added = check_between("softmax", "added", added, -FARTHEST, FARTHEST)
    limits = (COLDEST, HOTTEST)
    temperature = check_between("softmax", "temperature", temperature, *limits)
    controls = {
        f"score_{j}": slider(f"Score of {word}", value, -MOST, MOST, 0.1)
        for j, (word, value) in enumerate(zip(WORDS, values, strict=True), 1)
    }
    controls["added"] = slider("Added to all", added, -FARTHEST, FARTHEST, 0.1)
    controls["temperature"] = slider("Temperature", temperature, *limits, 0.05)
    for name in ("score_1", "score_2", "score_3", "added"):
        controls[name].readout_format = ".1f"
    start = {name: control.value for name, control in controls.items()}
    view = SoftmaxView(words=list(WORDS), **start)
    panel = Panel(
        view,
        controls,
        still=lambda: still.shares(WORDS, *_shares(**start)),
        compute=_shares,
        exact=("score_1", "score_2", "score_3", "added"),
    )
    panel.children = [view, controls["temperature"], panel.children[-1]]
    return panel


def _shares(score_1, score_2, score_3, added, temperature):
    scores = (np.array([score_1, score_2, score_3]) + added) / temperature
    return Shares(scores, np.exp(scores), attnlib.softmax(scores))
