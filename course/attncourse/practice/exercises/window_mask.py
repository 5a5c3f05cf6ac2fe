"""window_mask: how far back a query looks, and where it stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attncourse.practice.engine.exercise import Case, Exercise, Step, Steps
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib import sliding_window_mask


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


def _between(low: int, more: int) -> Step:
    return lambda s: (s.distance >= low) & (s.distance <= s.left + more)


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


WAYS = {
    "mask": {
        "negative-start": (
            "the first rows, where the window begins before key 0: what does a number "
            "below 0 mean in brackets?",
            ("a negative start of a slice, which counts from the end", _sliced),
            ("negative numbers of keys, which count from the end", _counted),
        ),
        "window-off-by-one": (
            "the ends of the window: itself, and the `left` tokens before it",
            ("a window one token too short", _between(0, -1)),
            ("a window one token too long", _between(0, 1)),
            ("a window without the token itself", _between(1, 0)),
        ),
        "looks-ahead": (
            "the sign of the distance: a key may not come after the query",
            (
                "a window that looks as far ahead as back",
                lambda s: np.abs(s.distance) <= s.left,
            ),
            ("a window without an upper end", lambda s: s.distance <= s.left),
            (
                "a window that looks ahead in place of back",
                lambda s: (s.distance <= 0) & (s.distance >= -s.left),
            ),
            (
                "a window that sees one token ahead",
                lambda s: (s.distance >= -1) & (s.distance <= s.left),
            ),
        ),
        "either-end-alone": (
            "the two conditions: a key has to meet both",
            (
                "or where and was expected",
                lambda s: (s.distance >= 0) | (s.distance <= s.left),
            ),
        ),
        "comparison-precedence": (
            "the order in which Python reads & and <=: each comparison needs brackets",
            *(
                ("a comparison without brackets beside &", step)
                for step in (
                    lambda s: (s.distance >= 0) & _keys(s) >= s.place - s.left,
                    lambda s: (s.place - s.left <= _keys(s)) & _keys(s) <= s.place,
                    lambda s: (s.distance >= 0) & s.distance <= s.left,
                    lambda s: (_keys(s) <= s.place) & (s.place - _keys(s)) <= s.left,
                )
            ),
        ),
        "offset-forgotten": (
            "both ends of the window: each depends on where the query stands",
            (
                "an offset at the upper end of the window alone",
                lambda s: (s.distance >= 0) & (s.distance - s.offset <= s.left),
            ),
            (
                "an offset at the upper end alone, and a window one token too short",
                lambda s: (s.distance >= 0) & (s.distance - s.offset < s.left),
            ),
        ),
        "left-counted-from-the-start": (
            "what `left` counts: tokens back from the query",
            (
                "hiding the first `left` keys",
                lambda s: (s.distance >= 0) & (_keys(s) >= s.left),
            ),
            (
                "showing the first `left` keys",
                lambda s: (s.distance >= 0) & (_keys(s) <= s.left),
            ),
        ),
        "rows-columns-swapped": (
            "the axes: there is a row for each query",
            ("rows and columns exchanged", _turned),
            (
                "a row for each key, a column for each query",
                lambda s: ((s.distance >= 0) & (s.distance <= s.left)).T,
            ),
        ),
        "window-ignored": (
            "where `left` is used",
            ("a causal mask without any window", lambda s: s.distance >= 0),
        ),
        "inverted": (
            "what True means: may see",
            (
                "True where a query may not look",
                lambda s: (s.distance < 0) | (s.distance > s.left),
            ),
        ),
    },
    "place": {
        "offset-forgotten": (
            "where the first query stands: at `offset`, not at 0",
            (
                "counting the queries from 0",
                lambda s: np.arange(s.n_queries)[:, None],
            ),
        ),
        "offset-off-by-one": (
            "where the first query stands: at `offset`",
            (
                "an offset of one more",
                lambda s: np.arange(s.n_queries)[:, None] + s.offset + 1,
            ),
            (
                "an offset of one less",
                lambda s: np.arange(s.n_queries)[:, None] + s.offset - 1,
            ),
            (
                "multiplying by the offset",
                lambda s: np.arange(s.n_queries)[:, None] * s.offset,
            ),
        ),
        "offset-reversed": (
            "the sign of the offset: the queries stand that much later",
            (
                "subtracting the offset",
                lambda s: np.arange(s.n_queries)[:, None] - s.offset,
            ),
        ),
    },
}
# What hides all keys, or none, is told by its simplest cause.
HIDES = {
    "either-end-alone": ("comparison-precedence",),
    "offset-reversed": ("offset-forgotten",),
}
MISTAKES = tuple(
    replace(one, hides=HIDES.get(one.code, ()))
    for step, ways in WAYS.items()
    for one in mistakes_in(step, ways)
)

EXERCISES = (
    Exercise(
        "window_mask",
        window_mask,
        draw,
        WINDOW,
        MISTAKES,
        returns=("mask",),
        is_boolean=True,
    ),
)
