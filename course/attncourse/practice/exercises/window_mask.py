"""window_mask: how far back a query looks, and where it stands."""

from __future__ import annotations

import numpy as np

from attncourse.practice.mistakes.looks import MASK
from attnlib import sliding_window_mask
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw a whole text, one query with a cache, and several."""
    n, left = int(rng.integers(7, 12)), int(rng.integers(1, 4))
    sizes = {
        "a whole text": (n, n, left, 0),
        "one query and a cache": (1, n, left, n - 1),
        "three queries and a cache": (3, n, left, n - 3),
        "queries in the middle of a text": (3, n, left, 2),
        "a window of nothing but itself": (n, n, 0, 0),
        "a window wider than the text": (4, 4, 9, 0),
    }
    names = ("n_queries", "n_keys", "left", "offset")
    return [
        Case(label, dict(zip(names, four, strict=True)))
        for label, four in sizes.items()
    ]


def window_mask(n_queries: int, n_keys: int, left: int, offset: int) -> np.ndarray:
    """Attnlib's own answer."""
    window = (left, 0)
    return sliding_window_mask(n_queries, n_keys, window=window, query_offset=offset)


WINDOW: Steps = {
    "place": lambda s: np.arange(s.n_queries)[:, None] + s.offset,
    "distance": lambda s: s.place - np.arange(s.n_keys),
    "mask": lambda s: (s.distance >= 0) & (s.distance <= s.left),
}


def _keys(s) -> np.ndarray:
    return np.arange(s.n_keys)


def _turned(s) -> np.ndarray:
    """Take the keys for the rows."""
    distance = np.arange(s.n_keys) + s.offset - np.arange(s.n_queries)[:, None]
    return (distance >= 0) & (distance <= s.left)


def _sliced(s) -> np.ndarray:
    """Show the keys of a slice; a beginning below 0 counts from the end."""
    mask = np.zeros((s.n_queries, s.n_keys), dtype=bool)
    for row, place in zip(mask, s.place[:, 0], strict=True):
        row[place - s.left : place + 1] = True
    return mask


def _counted(s) -> np.ndarray:
    """Show the keys one by one; a number below 0 counts from the end."""
    mask = np.zeros((s.n_queries, s.n_keys), dtype=bool)
    for row, place in zip(mask, s.place[:, 0], strict=True):
        row[np.arange(place - s.left, place + 1)] = True
    return mask


MISTAKES = read_beside(__file__, globals(), WINDOW)

EXERCISES = (
    Exercise(
        "window_mask",
        window_mask,
        draw,
        WINDOW,
        MISTAKES,
        returns=("mask",),
        truth=MASK,
    ),
)
