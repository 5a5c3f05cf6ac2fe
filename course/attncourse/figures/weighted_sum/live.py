"""Lesson 5's second live figure: mix three values, and try to reach an answer."""

from typing import Any, NamedTuple

import numpy as np
import traitlets

from attncourse.story import examples
from attnlib import softmax

from ..kit.checks import check_three, check_whole
from ..kit.panel import Panel, View, numbers, slider
from . import still

WORDS = ("token 1", "token 2", "token 3")
PRINTED = ((5.3, 4.2), (5.0, 4.0))  # what post 4 says of token 1, in two places
FEWEST, MOST = 1, 20


class WeightedSumView(View, beside=__file__):
    """Three values of the plane, how many parts of each are mixed, printed answers."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    values = traitlets.List().tag(sync=True)
    printed = traitlets.List().tag(sync=True)
    parts_1 = traitlets.Int(1).tag(sync=True)
    parts_2 = traitlets.Int(1).tag(sync=True)
    parts_3 = traitlets.Int(1).tag(sync=True)


class Mixture(NamedTuple):
    """Weights of three values, (3,), and the output that they make, (2,)."""

    weights: Any
    output: Any


def panel(parts=(1, 1, 1)):
    """Return the live figure in which three values are mixed.

    Parameters
    ----------
    parts : three whole numbers, from 1 to 20
        How many parts of each token's value are mixed to begin with.

    Returns
    -------
    Panel
        ``compute()`` gives the `Mixture`, computed by attnlib.

    Raises
    ------
    ValueError
        If there are not three parts, or one is outside of its slider's range.
    """
    parts = check_three("weighted_sum", "parts", parts, check_whole, FEWEST, MOST)
    start = {f"parts_{j}": count for j, count in enumerate(parts, 1)}
    controls = {
        name: slider(f"{word.capitalize()}, parts", count, FEWEST, MOST, 1)
        for word, (name, count) in zip(WORDS, start.items(), strict=True)
    }
    *_, values = examples.three_tokens()
    printed = [list(answer) for answer in PRINTED]
    view = WeightedSumView(
        names=list(WORDS), values=numbers(values), printed=printed, **start
    )
    return Panel(
        view,
        controls,
        still=lambda: still.mixture(WORDS, values, *_mix(**start), PRINTED),
        compute=_mix,
    ).add_class("aw-many")


def _mix(parts_1, parts_2, parts_3):
    # Shares of parts are a softmax too: the scores are the logarithms of the parts.
    *_, values = examples.three_tokens()
    weights = softmax(np.log([parts_1, parts_2, parts_3]))
    return Mixture(weights, weights @ values)
