"""Lesson 6's live figure: drag the star; one head misses it, two reach it."""

from typing import Any, NamedTuple

import numpy as np

from attncourse import story

from ..kit.controls import Fixed, Slider
from ..kit.declared import Figure
from ..kit.described import Description, Matrix
from ..kit.panel import numbers
from . import still
from .reach import nearest_mixture, nearest_of_two

LOWEST, HIGHEST, STEP = -0.25, 1.25, 0.05
NAMES = ("dog", "food", "others")  # the other words all have the value (0, 0)
WHO = ("one head", "head 1, alive", "head 2, edible")


class Reach(NamedTuple):
    """What comes nearest to the star.

    The outputs of one head, (2,), and of two, (2,); how far each stays from the star;
    and for each row of weights that is shown these and by how much it misses.
    """

    one_output: Any
    two_output: Any
    misses: Any
    who: tuple[str, ...]
    rows: Any
    case: str


def _values():
    _, _, value = story.find().project(story.embed(["dog", "food", "it"]))
    return value


def _reach(star, heads):
    values, wanted = _values(), np.array(star)
    one, two = nearest_mixture(values, wanted), nearest_of_two(values, wanted)
    outputs = one @ values, np.einsum("cj,jc->c", two, values)
    first, second = (np.linalg.norm(output - wanted) for output in outputs)
    each = np.abs(outputs[1] - wanted)  # a head of two misses in its own column
    rows = [[*one, first], *([*row, far] for row, far in zip(two, each, strict=True))]
    n = 2 * heads - 1
    case = ("one", "two")[heads - 1]
    return Reach(*outputs, (first, second), WHO[:n], np.array(rows[:n]), case)


ONE = (
    "Wanted: {star.0:.2f} right (alive), {star.1:.2f} up (edible).",
    "One head comes to {one_output.0:.2f} right, {one_output.1:.2f} up, "
    "{misses.0:.2f} away: it stays in the triangle of dog (1 right), food (1 up) and "
    "the others (0, 0).",
)
TWO = (
    "Two heads come to {two_output.0:.2f} right, {two_output.1:.2f} up, "
    "{misses.1:.2f} away: they stay in the square around it."
)
panel = Figure(
    "multi_head",
    __file__,
    controls={
        "star": Slider(
            "Wanted",
            (0.3, 0.4),
            LOWEST,
            HIGHEST,
            STEP,
            place="exact",
            each={name: f"Wanted: {name}" for name in ("alive", "edible")},
        ),
        "heads": Fixed("Heads", 1, (1, 2)),
    },
    data=lambda: {
        "names": NAMES,
        "columns": (*NAMES, "misses"),
        "values": numbers(_values()),
        "bounds": (LOWEST, HIGHEST, STEP),
        "everyone": WHO,
    },
    compute=_reach,
    still=lambda state, now: still.reach(NAMES, _values(), now, **state),
    describe=Description(
        "A star, and the nearest that rows of weights come to it",
        {"one": ONE, "two": (*ONE, TWO)},
        (
            Matrix(
                "Weights, and how far from the star",
                "who",
                "columns",
                "rows",
                shown=True,
            ),
        ),
        said={
            "one": (
                "One head comes to {one_output.0:.2f} right, {one_output.1:.2f} up, "
                "{misses.0:.2f} away"
            ),
            "two": (
                "Two heads miss it by {misses.1:.2f}, one by {misses.0:.2f}",
                "two come to {two_output.0:.2f} right, {two_output.1:.2f} up",
            ),
        },
    ),
)
