"""merge_heads: the heads put side by side again."""

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.exercises import split_heads as split
from attnlib.heads import merge_heads, split_heads
from named_mistakes.cases import case
from named_mistakes.exercise import Case


def draw(rng: np.random.Generator) -> list[Case]:
    """Make the cases of split_heads, after the cut."""
    return [
        case(one.label, axes=3, heads=split_heads(**one.inputs))
        for one in split.draw(rng)
    ]


def _swapped_back(x: np.ndarray, i: int, j: int) -> np.ndarray:
    return np.swapaxes(x, i, j).reshape(*x.shape[:-3], x.shape[-2], -1)


MERGE = {"merged": lambda s: _swapped_back(s.heads, -2, -3)}


TABLE = """
AXIS = which axis each size stands on before and after: print the shapes
FIRST = what a loop over heads, or list(heads), goes along: the first axis, which may be
        a batch's, where heads lie on axis -3

merged | heads-without-transpose | where a reshape puts the numbers: it fills the new
        shape in reading order
    a reshape straight to the final shape = split.straight_back(heads)

merged | wrong-axis | {AXIS}
    joining the heads along axis -2 =
        np.concatenate(list(np.moveaxis(heads, -3, 0)), axis=-2)

merged | wrong-axis | {FIRST}
    for axis in 0, -1, -2:
        taking the first axis for the heads and joining along axis {axis} =
        np.concatenate(list(np.moveaxis(heads, 0, 0)), axis={axis})

merged | wrong-axis | {AXIS}
    joining the heads along axis 0 =
        np.concatenate(list(np.moveaxis(heads, -3, 0)), axis=0)
    exchanging axes -1 and -2 = _swapped_back(heads, -1, -2)
    exchanging axes -1 and -3 = _swapped_back(heads, -1, -3)
    exchanging axes 0 and 1 = _swapped_back(heads, 0, 1)
    exchanging axes 1 and 2 = _swapped_back(heads, 1, 2)

merged | wrong-axis | which columns belong together: all of one head, then all of the
        next
    taking a column of each head by turns = split.shuffled_back(heads)

merged | heads-not-joined | what is left to do: the last two axes become one
    a list of all heads = np.moveaxis(heads, -3, 0)
    moving the axes and joining nothing = np.moveaxis(heads, -3, -2)

merged | heads-reversed | the order of the heads: the first one's numbers come first
    joining the heads in reverse order = _swapped_back(heads[..., ::-1, :, :], -2, -3)

merged | heads-added-up | what is asked: side by side, so that no head's numbers are
        lost
    adding the heads up = np.sum(heads, axis=-3)
    averaging the heads = np.mean(heads, axis=-3)
    adding the heads up, and repeating the sum = np.tile(heads.sum(-3), heads.shape[-3])
    averaging the heads, and repeating the mean =
        np.tile(heads.mean(-3), heads.shape[-3])

merged | one-head-only | what is asked: all heads, each in a place of its own
    repeating the first head = np.tile(heads[..., 0, :, :], heads.shape[-3])
    repeating the last head = np.tile(heads[..., -1, :, :], heads.shape[-3])
    leaving the first head alone = heads[..., 0, :, :]

merged | heads-not-all-used | what is asked: all heads, each in a place of its own
    leaving the last head at 0 =
        _swapped_back(
            np.concatenate([heads[..., :-1, :, :], 0 * heads[..., -1:, :, :]], -3),
            -2, -3)

merged | all-axes-transposed | how the axes are moved: those of tokens and heads alone
    a transpose that reverses all axes =
        heads.T.reshape(*heads.shape[:-3], heads.shape[-2], -1)
"""

EXERCISE = exercise(globals(), merge_heads, MERGE)
