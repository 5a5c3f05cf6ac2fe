"""Live figure: choose what goes into a black box, and read what comes out."""

from types import SimpleNamespace

import numpy as np

from attncourse.shipped.boxes import BOXES, RULES

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Matrix, Table
from ..kit.grids import grid
from ..kit.panel import numbers
from ..kit.picture import QUERY, VALUE, panels


def output(numbers):
    """Draw the output of a box as a grid of numbers."""
    n_queries, n_values = numbers.shape
    figure, axis = panels(size=(1.4 + 0.7 * n_values, 0.9 + 0.5 * n_queries))
    rows = [f"query {i + 1}" for i in range(n_queries)]
    columns = [f"{j + 1}" for j in range(n_values)]
    look = {"most": 1.0, "text": "{:.2f}", "color": VALUE}
    grid(axis, numbers, rows=rows, columns=columns, title="Output", **look)
    axis.tick_params(axis="y", labelcolor=QUERY)
    return figure


NAMES = tuple(f"box {i}" for i in range(1, 1 + len(BOXES)))
VALUES = ("ordinary", "all 1", "identity")
N_QUERIES, MOST_KEYS, D = 5, 7, 4
QUERIES, KEY = (
    np.random.default_rng(seed).standard_normal((n, D)).round(1)
    for seed, n in ((1, N_QUERIES), (2, MOST_KEYS))
)
ORDINARY = np.random.default_rng(3).standard_normal((MOST_KEYS, 3)).round(1)


def _compute(box, values, size, n_keys):
    """Compute the ``output`` of a box, (5, n_values), and the ``sums`` of its rows."""
    value = {
        "ordinary": ORDINARY[:n_keys],
        "all 1": np.ones((n_keys, 1)),
        "identity": np.eye(n_keys),
    }[values]
    output = BOXES[NAMES.index(box)](size * QUERIES, KEY[:n_keys], value)
    return SimpleNamespace(
        output=output,
        columns=[f"{j}" for j in range(1, 1 + output.shape[-1])],
        sums=output.sum(axis=-1),
        case="one" if n_keys == 1 else "more",
    )


PUT_IN = "{box}, values: {values}. 5 queries times {size:.1f}, {n_keys} %s."
ADDS_UP = "The rows of the output add up to {sums:.2f}."
panel = Figure(
    __file__,
    controls={
        "box": Choice("Open", "box 1", NAMES),
        "values": Choice("Values", "ordinary", VALUES),
        "size": Slider("Size of the queries", 1.0, 0.0, 4.0, 0.1),
        "n_keys": Slider("Keys", 5, 1, MOST_KEYS, 1),
    },
    data=lambda: {
        "query": numbers(QUERIES),
        "key": numbers(KEY),
        "ordinary": numbers(ORDINARY),
        "boxes": {name: dict(one) for name, one in zip(NAMES, RULES, strict=True)},
        "rows": [f"query {i}" for i in range(1, 1 + N_QUERIES)],
    },
    compute=_compute,
    still=lambda _, now: output(now.output),
    title="What comes out of a black box",
    summary={
        "one": (PUT_IN % "key", ADDS_UP),
        "more": (PUT_IN % "keys", ADDS_UP),
    },
    tables=(
        Matrix("Output", "rows", "columns", "output"),
        Table(
            "What its rows add up to",
            "rows",
            Line("sum", "sums", source="output"),
            upright=False,
        ),
    ),
    said=("rows add up to {sums:.2f}", "first row {output.0:.2f}"),
)
