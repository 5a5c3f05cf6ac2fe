"""merge_heads: the heads put side by side again."""

from __future__ import annotations

import numpy as np

from attncourse.practice.exercises import split_heads as split
from attnlib.heads import merge_heads, split_heads
from named_mistakes.cases import case
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Make the cases of split_heads, after the cut."""
    return [
        case(one.label, axes=3, heads=split_heads(**one.inputs))
        for one in split.draw(rng)
    ]


def _swapped_back(x: np.ndarray, i: int, j: int) -> np.ndarray:
    return np.swapaxes(x, i, j).reshape(*x.shape[:-3], x.shape[-2], -1)


MERGE = {"merged": lambda s: _swapped_back(s.heads, -2, -3)}


def _without_last(heads: np.ndarray) -> np.ndarray:
    rest = np.concatenate([heads[..., :-1, :, :], 0 * heads[..., -1:, :, :]], axis=-3)
    return _swapped_back(rest, -2, -3)


MISTAKES = read_beside(__file__, globals(), MERGE)

EXERCISES = (Exercise("merge_heads", merge_heads, draw, MERGE, MISTAKES),)
