"""The smallest exercise: half of each number."""

import numpy as np

from named_mistakes import Case, Exercise, check

__all__ = ["HALF", "half", "said"]


def draw(rng):
    return [
        Case("a table", {"x": rng.standard_normal((3, 5))}),
        Case("a batch", {"x": rng.standard_normal((2, 3, 5))}, is_batch=True),
    ]


def half(x):
    return np.asarray(x) / 2


HALF = Exercise("half", half, draw)


def said(answer):
    """The codes of what is found in an answer."""
    return [finding.code for finding in check(HALF, answer, seed=0).findings]
