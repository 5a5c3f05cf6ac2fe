"""Live figure: what becomes of rows and weights in twelve layers, with norms or not."""

from ..kit.controls import Choice
from ..kit.tabled import Curves, Tabled
from . import passed

N_LAYERS = 12


def _found(norm, times):
    found = passed.sizes(norm, N_LAYERS, times)
    return {
        "steps": list(range(1, N_LAYERS + 1)),
        "spread": found.spread,
        "kept": found.kept,
        "alike": found.alike,
        "largest": found.largest,
    }


panel = Tabled(
    "twelve_layers",
    controls={
        "norm": Choice("Norm", passed.NORMS[0], passed.NORMS),
        "times": Choice("Matrices", 1.0, {"as drawn": 1.0, "half as large": 0.5}),
    },
    compute=_found,
    drawn=(
        Curves(
            "Correlation of rows, largest weight",
            "steps",
            "layers",
            {"correlation": "alike", "weight": "largest"},
        ),
        Curves(
            "Share of a word’s first row (log)",
            "steps",
            "layers",
            {"part": "kept"},
            form=".3f",
            log="y",
        ),
    ),
    title="Rows that pass through twelve layers with random matrices",
    summary=(
        "Norm: {norm}; matrices × {times}. A row has a spread of {spread.5:.1f} after "
        "layer 6, and of {spread.11:.1f} after layer 12. Of that, a word's first row "
        "is {kept.11:.3f}.",
        "On average, the correlation between the rows of two words is {alike.0:.2f} "
        "after layer 1, and {alike.11:.2f} after layer 12; the largest weight of a "
        "word is {largest.0:.2f} in layer 1, and {largest.11:.2f} in layer 12.",
    ),
    said=(
        "spread {spread.11:.1f}, first row {kept.11:.3f} of it",
        "correlation {alike.11:.2f}, largest weight {largest.11:.2f}",
    ),
)
