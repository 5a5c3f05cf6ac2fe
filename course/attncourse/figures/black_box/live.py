"""Live figure: choose what goes into a black box, and read what comes out."""

from types import SimpleNamespace

import numpy as np
import traitlets

from attncourse.shipped.boxes import BOXES, RULES

from ..kit.checks import check_between, check_whole
from ..kit.panel import Panel, View, chips, numbers, slider
from . import still

NAMES = tuple(f"box {i}" for i in range(1, 1 + len(BOXES)))
VALUES = ("ordinary", "all 1", "identity")
N_QUERIES, MOST_KEYS, D = 5, 7, 4
QUERY, KEY = (
    np.random.default_rng(seed).standard_normal((n, D)).round(1)
    for seed, n in ((1, N_QUERIES), (2, MOST_KEYS))
)
ORDINARY = np.random.default_rng(3).standard_normal((MOST_KEYS, 3)).round(1)


class BlackBoxView(View, beside=__file__):
    """Query, key, ordinary values and the rules of the boxes; the page attends."""

    query = traitlets.List().tag(sync=True)
    key = traitlets.List().tag(sync=True)
    ordinary = traitlets.List().tag(sync=True)
    rules = traitlets.List().tag(sync=True)
    box = traitlets.Int().tag(sync=True)
    values = traitlets.Int().tag(sync=True)
    size = traitlets.Float().tag(sync=True)
    n_keys = traitlets.Int().tag(sync=True)


def panel(box="box 1", values="ordinary", size=1.0, n_keys=5):
    """Return the live figure of lesson 16.

    Parameters
    ----------
    box : str
        One of `NAMES`.
    values : str
        What is put in for the values, one of `VALUES`.
    size : float
        What the queries are multiplied by, from 0 to 4.
    n_keys : int
        From 1 to 7; there are 5 queries.

    Returns
    -------
    Panel
        ``compute()`` gives the ``output`` of the box, (5, n_values), and ``sums``, of
        its rows.

    Raises
    ------
    ValueError
        If there is no such box or choice of values, or a number is out of range.
    """
    for name, chosen, known in (("box", box, NAMES), ("values", values, VALUES)):
        if chosen not in known:
            rule = f"{name} must be one of {known}"
            raise ValueError(f"black_box: {rule}, got {chosen!r}")
    size = check_between("black_box", "size", size, 0, 4)
    check_whole("black_box", "n_keys", n_keys, 1, MOST_KEYS)
    view = BlackBoxView(
        query=numbers(QUERY),
        key=numbers(KEY),
        ordinary=numbers(ORDINARY),
        rules=[dict(rules) for rules in RULES],
    )
    controls = {
        "box": chips("Open", NAMES, box),
        "values": chips("Values", VALUES, values),
        "size": slider("Size of the queries", size, 0.0, 4.0, 0.1),
        "n_keys": slider("Keys", n_keys, 1, MOST_KEYS, 1),
    }
    now = _compute(box, values, size, n_keys)
    return Panel(
        view,
        controls,
        still=lambda: still.output(now, box, values, size),
        compute=_compute,
    )


def _compute(box, values, size, n_keys):
    value = {
        "ordinary": ORDINARY[:n_keys],
        "all 1": np.ones((n_keys, 1)),
        "identity": np.eye(n_keys),
    }[values]
    output = BOXES[NAMES.index(box)](size * QUERY, KEY[:n_keys], value)
    return SimpleNamespace(output=output, sums=output.sum(axis=-1))
