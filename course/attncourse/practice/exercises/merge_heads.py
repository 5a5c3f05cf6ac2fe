"""merge_heads: the heads put side by side again."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case
from attncourse.practice.engine.exercise import Case, Exercise, mistake
from attncourse.practice.exercises import split_heads as split
from attnlib.heads import merge_heads, split_heads


def draw(rng: np.random.Generator) -> list[Case]:
    """Make the cases of split_heads, after the cut."""
    return [
        case(one.label, axes=3, heads=split_heads(**one.inputs))
        for one in split.draw(rng)
    ]


FIRST = (
    "what a loop over heads, or list(heads), goes along: the first axis, which may be "
    "a batch's, where heads lie on axis -3"
)
MERGE_MISTAKES = (
    mistake(
        split.WITHOUT,
        "a reshape straight to the final shape",
        split.LOST,
        merged=lambda s: split.straight_back(s.heads),
    ),
    *(
        mistake(
            "wrong-axis",
            f"joining the heads along axis {axis}"
            if first
            else f"taking the first axis for the heads and joining along axis {axis}",
            split.AXIS if first else FIRST,
            merged=lambda s, first=first, axis=axis: np.concatenate(
                list(np.moveaxis(s.heads, first, 0)), axis=axis
            ),
        )
        for first, axis in ((-3, -2), (0, 0), (0, -1), (0, -2), (-3, 0))
    ),
    *(
        mistake(
            "wrong-axis",
            f"exchanging axes {i} and {j}",
            split.AXIS,
            merged=lambda s, i=i, j=j: _swapped_back(s.heads, i, j),
        )
        for i, j in split.SWAPS
    ),
    mistake(
        "wrong-axis",
        "taking a column of each head by turns",
        "which columns belong together: all of one head, then all of the next",
        merged=lambda s: split.shuffled_back(s.heads),
    ),
    mistake(
        "heads-not-joined",
        "moving the axes and joining nothing",
        "what is left to do: the last two axes become one",
        merged=lambda s: np.moveaxis(s.heads, -3, -2),
    ),
    mistake(
        "heads-reversed",
        "joining the heads in reverse order",
        "the order of the heads: the first one's numbers come first",
        merged=lambda s: _swapped_back(s.heads[..., ::-1, :, :], -2, -3),
    ),
    *(
        mistake(
            "heads-added-up",
            "adding the heads up" if way is np.sum else "averaging the heads",
            "what is asked: side by side, so that no head's numbers are lost",
            merged=lambda s, way=way: way(s.heads, axis=-3),
        )
        for way in (np.sum, np.mean)
    ),
)


def _swapped_back(x: np.ndarray, i: int, j: int) -> np.ndarray:
    return np.swapaxes(x, i, j).reshape(*x.shape[:-3], x.shape[-2], -1)


MERGE = {"merged": lambda s: _swapped_back(s.heads, -2, -3)}

EXERCISES = (Exercise("merge_heads", merge_heads, draw, MERGE, MERGE_MISTAKES),)
