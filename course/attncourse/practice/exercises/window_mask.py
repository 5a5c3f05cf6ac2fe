"""window_mask: how far back a query looks, and where it stands."""

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.mistakes.looks import MASK
from attnlib import sliding_window_mask
from named_mistakes.exercise import Case, Steps


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
    "key": lambda s: np.arange(s.n_keys),
    "distance": lambda s: s.place - s.key,
    "mask": lambda s: (s.distance >= 0) & (s.distance <= s.left),
}


def _shown(s, keys) -> np.ndarray:
    """Show a slice of the keys, or one by one; what is below 0 counts from the end."""
    mask = np.zeros((s.n_queries, s.n_keys), dtype=bool)
    for row, place in zip(mask, s.place[:, 0], strict=True):
        row[keys(place - s.left, place + 1)] = True
    return mask


TABLE = """
mask | negative-start | the first rows, where the window begins before key 0: what does
        a number below 0 mean in brackets?
    a negative start of a slice, which counts from the end = _shown(s, slice)
    negative numbers of keys, which count from the end = _shown(s, np.arange)

mask | window-off-by-one | the ends of the window: itself, and the `left` tokens before
        it
    a window one token too short = (distance >= 0) & (distance <= left + -1)
    a window one token too long = (distance >= 0) & (distance <= left + 1)
    a window without the token itself = (distance >= 1) & (distance <= left + 0)

mask | looks-ahead | the sign of the distance: a key may not come after the query
    a window that looks as far ahead as back = np.abs(distance) <= left
    a window without an upper end = distance <= left
    a window that looks ahead in place of back = (distance <= 0) & (distance >= -left)
    a window that sees one token ahead = (distance >= -1) & (distance <= left)

# What hides all keys, or none, is told by its simplest cause.
mask | either-end-alone | the two conditions: a key has to meet both | hides:
        comparison-precedence
    or where and was expected = (distance >= 0) | (distance <= left)

mask | comparison-precedence | the order in which Python reads & and <=: each comparison
        needs brackets
    a comparison without brackets beside & = (distance >= 0) & key >= place - left
    a comparison without brackets beside & =
        (place - left <= key) & key <= place
    a comparison without brackets beside & = (distance >= 0) & distance <= left
    a comparison without brackets beside & =
        (key <= place) & place - key <= left

mask | offset-forgotten | both ends of the window: each depends on where the query
        stands
    an offset at the upper end of the window alone =
        (distance >= 0) & (distance - offset <= left)
    an offset at the upper end alone, and a window one token too short =
        (distance >= 0) & (distance - offset < left)

mask | left-counted-from-the-start | what `left` counts: tokens back from the query
    hiding the first `left` keys = (distance >= 0) & (key >= left)
    showing the first `left` keys = (distance >= 0) & (key <= left)

mask | rows-columns-swapped | the axes: there is a row for each query
    rows and columns exchanged =
        (key + offset >= np.arange(n_queries)[:, None])
        & (key + offset - np.arange(n_queries)[:, None] <= left)
    a row for each key, a column for each query =
        ((distance >= 0) & (distance <= left)).T

mask | window-ignored | where `left` is used
    a causal mask without any window = distance >= 0

mask | inverted | what True means: may see
    True where a query may not look = (distance < 0) | (distance > left)

place | offset-forgotten | where the first query stands: at `offset`, not at 0
    counting the queries from 0 = np.arange(n_queries)[:, None]

place | offset-off-by-one | where the first query stands: at `offset`
    an offset of one more = np.arange(n_queries)[:, None] + offset + 1
    an offset of one less = np.arange(n_queries)[:, None] + offset - 1
    multiplying by the offset = np.arange(n_queries)[:, None] * offset

place | offset-reversed | the sign of the offset: the queries stand that much later |
        hides: offset-forgotten
    subtracting the offset = np.arange(n_queries)[:, None] - offset

mask | window-doubled | how far back a query looks: `left` tokens
    a window of twice the length = (distance >= 0) & (distance <= 2 * left)

mask | offset-forgotten | both ends of the window: each depends on where the query
        stands
    an offset at the lower end of the window alone =
        (distance - offset >= 0) & (distance <= left)

place | offset-ignored | where the first query stands: at `offset`, wherever the last
        key
        is
    queries that end at the last key = np.arange(n_queries)[:, None] + n_keys -
        n_queries
"""

EXERCISE = exercise(globals(), window_mask, WINDOW, returns=("mask",), truth=MASK)
