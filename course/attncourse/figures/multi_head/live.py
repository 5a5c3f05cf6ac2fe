"""Lesson 6's live figure: drag the star; one head misses it, two reach it."""

from typing import Any, NamedTuple

import numpy as np
import traitlets

from attncourse import story

from ..kit.checks import check_between, check_whole
from ..kit.panel import Panel, View, numbers, slider
from . import still
from .reach import nearest_mixture, nearest_of_two

LOWEST, HIGHEST, STEP = -0.25, 1.25, 0.05
NAMES = ("dog", "food", "others")  # the other words all have the value (0, 0)


class StarView(View, beside=__file__):
    """Three values, and the place of the star: what an output is wished to be."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    values = traitlets.List().tag(sync=True)
    bounds = traitlets.List().tag(sync=True)  # lowest, highest, step of the star
    heads = traitlets.Int().tag(sync=True)  # how many are shown: 1, or both
    alive = traitlets.Float().tag(sync=True)
    edible = traitlets.Float().tag(sync=True)


class Reach(NamedTuple):
    """The weights that come nearest to the star, and what they give.

    Parameters
    ----------
    one_weights, one_output : array, (3,) and (2,)
        One head: a row of weights for both columns.
    two_weights, two_output : array, (2, 3) and (2,)
        Two heads: a row of weights for each column.
    """

    one_weights: Any
    one_output: Any
    two_weights: Any
    two_output: Any


def panel(star=(0.3, 0.4), heads=1):
    """Return lesson 6's live figure: with one head it opens the lesson.

    Parameters
    ----------
    star : two numbers, from -0.25 to 1.25
        What an output is wished to be: how alive, how edible.
    heads : int
        1, or 2 to show what two heads reach as well.

    Returns
    -------
    Panel
        ``compute()`` gives the `Reach` of one head and of two.

    Raises
    ------
    ValueError
        If there are not two numbers, one is outside of its slider's range, or heads
        is neither 1 nor 2.
    """
    check_whole("multi_head", "heads", heads, 1, 2)
    start = dict(zip(("alive", "edible"), _check(star), strict=True))
    controls = {
        name: slider(f"Wanted: {name}", number, LOWEST, HIGHEST, STEP)
        for name, number in start.items()
    }
    values = _values()
    view = StarView(
        names=list(NAMES),
        values=numbers(values),
        bounds=[LOWEST, HIGHEST, STEP],
        heads=heads,
        **start,
    )
    reached = _reach(**start)
    corners = dict(zip(NAMES, values, strict=True))
    outputs = {"one head": reached.one_output, "two heads": reached.two_output}
    shown = dict(list(outputs.items())[:heads])
    return Panel(
        view,
        controls,
        still=lambda: still.reach(corners, tuple(start.values()), shown),
        compute=_reach,
        exact=tuple(controls),
    )


def _values():
    _, _, value = story.find().project(story.embed(["dog", "food", "it"]))
    return value


def _reach(alive, edible):
    values, wanted = _values(), np.array([alive, edible])
    one, two = nearest_mixture(values, wanted), nearest_of_two(values, wanted)
    return Reach(one, one @ values, two, np.einsum("cj,jc->c", two, values))


def _check(star):
    try:
        star = tuple(star)
    except TypeError:
        star = (star,)
    if len(star) != 2:
        raise ValueError(f"multi_head: star must be two numbers, got {len(star)}")
    return [check_between("multi_head", "star", x, LOWEST, HIGHEST) for x in star]
