"""Five black boxes of lesson 16: attention, each with one thing that is not as usual.

Each takes query (n_queries, d), key (n_keys, d) and value (n_keys, d_v), with any
number of leading axes. `RULES` says what each does, for the figure to do the same.
"""

import numpy as np

from attnlib import softmax

# How scores are scaled (a power of d_k), how far ahead a query sees (None: to the end),
# the axis of the softmax, and a score that takes weight and has no value.
RULES = (
    {"power": -0.5, "ahead": 1, "axis": -1, "sink": None},
    {"power": 0.0, "ahead": None, "axis": -1, "sink": None},
    {"power": -0.5, "ahead": 0, "axis": -1, "sink": None},
    {"power": -0.5, "ahead": None, "axis": -1, "sink": 0.0},
    {"power": -0.5, "ahead": None, "axis": -2, "sink": None},
)


def weights(query, key, *, power, ahead, axis, sink):
    """Return what a box multiplies the values by: (..., n_queries, n_keys)."""
    scores = query @ np.swapaxes(key, -1, -2) * query.shape[-1] ** power
    n_queries, n_keys = scores.shape[-2:]
    if ahead is not None:
        seen = np.arange(n_keys) <= np.arange(n_queries)[:, None] + ahead
        scores = np.where(seen, scores, -np.inf)
    if sink is None:
        return softmax(scores, axis=axis)
    more = np.full((*scores.shape[:-1], 1), sink)
    return softmax(np.concatenate([scores, more], axis=-1))[..., :-1]


def _box(rules):
    def box(query, key, value):
        """Attend, in a way of its own."""
        query, key, value = (np.asarray(one, float) for one in (query, key, value))
        return weights(query, key, **rules) @ value

    return box


BOXES = tuple(_box(rules) for rules in RULES)
