"""Live figure: a mask, a window, a cap, a scale, an axis, as meant and as shipped."""

from types import SimpleNamespace

import numpy as np

from attnlib import causal_mask, sliding_window_mask, softmax

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Matrix
from ..kit.grids import grid
from ..kit.panel import choice, numbers
from ..kit.picture import KEY, QUERY, panels


def side_by_side(now):
    """Draw the weights as they were ``meant``, and as they ``shipped``."""
    figure, axes = panels(1, 2, size=(7.2, 3.2))
    n_queries, n_keys = now.meant.shape
    rows = [f"q{i + 1}" for i in range(n_queries)]
    columns = [f"k{j + 1}" for j in range(n_keys)]
    tables = {"as meant": now.meant, "as shipped": now.shipped}
    for axis, (title, weights) in zip(axes, tables.items(), strict=True):
        look = {"most": 1.0, "text": "{:.2f}", "size": 8, "title": title}
        grid(axis, weights, rows=rows, columns=columns, **look)
        axis.tick_params(axis="y", labelcolor=QUERY, labelsize=8)
        axis.tick_params(axis="x", labelcolor=KEY, labelsize=8)
    return figure


PIECES = ("causal mask", "window of 3", "cap of 50", "scale", "softmax")
SIZES = (0, 1, 3, 10, 30, 100, 300)
MOST, WINDOW, CAP, D_K, SAME = 8, 3, 50.0, 64, 0.005
# The first is below 0: a query whose only key is unwelcome.
TABLE = np.random.default_rng(4).standard_normal((MOST, MOST)).round(1)
TABLE[0, 0] = -0.9


def _compute(piece, n_queries, n_keys, size):
    """Compute the weights as meant and as shipped, and by how much they differ."""
    scores = size * TABLE[:n_queries, :n_keys]
    meant, shipped = WAYS[PIECES.index(piece)](scores)
    most = float(np.abs(meant - shipped).max())
    return SimpleNamespace(
        meant=meant,
        shipped=shipped,
        most=most,
        queries=[f"query {i + 1}" for i in range(n_queries)],
        keys=[f"key {j + 1}" for j in range(n_keys)],
        counts=[_counted("query queries", n_queries), _counted("key keys", n_keys)],
        case="found" if most > SAME else "same",
    )


def _counted(names, n):
    return f"{n} {names.split()[n > 1]}"


def _corner(scores):
    starts = causal_mask(*scores.shape)
    ends = causal_mask(*scores.shape[::-1])[::-1, ::-1].T
    return _masked(scores, ends), _masked(scores, starts)


def _window(scores):
    return tuple(
        _masked(scores, sliding_window_mask(*scores.shape, window=(left, 0)))
        for left in (WINDOW - 1, WINDOW)
    )


def _cap(scores):
    allowed = causal_mask(*scores.shape)
    meant = _masked(CAP * np.tanh(scores / CAP), allowed)
    shipped = CAP * np.tanh(np.where(allowed, scores, -np.inf) / CAP)
    return meant, softmax(shipped)


def _scale(scores):
    return softmax(scores), softmax(scores / np.sqrt(D_K))


def _axis(scores):
    return softmax(scores), softmax(scores, axis=-2)


def _masked(scores, allowed):
    return softmax(np.where(allowed, scores, -np.inf))


WAYS = (_corner, _window, _cap, _scale, _axis)


SHAPE = "{counts.0}, {counts.1}, scores of size {size}"
panel = Figure(
    __file__,
    controls={
        "piece": Choice("Look at the", PIECES[0], PIECES),
        "n_queries": Slider("Queries", 5, 1, MOST, 1),
        "n_keys": Slider("Keys", 5, 1, MOST, 1),
        "size": Choice("Size of the scores", 1, SIZES, look=choice),
    },
    data=lambda: {
        "table": numbers(TABLE),
        "pieces": PIECES,
        "constants": {"window": WINDOW, "cap": CAP, "root": float(np.sqrt(D_K))},
    },
    compute=_compute,
    still=lambda _, now: side_by_side(now),
    title="Weights as they were meant, and as they shipped",
    summary={
        "same": (
            f"{SHAPE}: no weight differs by more than 0.005.",
            "A test with these sizes passes.",
        ),
        "found": f"Found: with {SHAPE}, a weight differs by {{most:.2f}}.",
    },
    tables=(
        Matrix("As meant", "queries", "keys", "meant"),
        Matrix("As shipped", "queries", "keys", "shipped"),
    ),
    said={
        "same": ("A test with these sizes passes", SHAPE),
        "found": ("Found: a weight differs by {most:.2f}", SHAPE),
    },
)
