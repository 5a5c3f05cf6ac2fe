"""Live figure: what becomes of rows and weights in twelve layers, with norms or not."""

from ..depth import passed
from ..kit.controls import Choice
from ..kit.tabled import Curves, Tabled

N_LAYERS = 12
TIMES = {"half as large": 0.5, "as drawn": 1, "a quarter larger": 1.25}


def _found(norm, matrices):
    spread, largest = passed.sizes(norm, N_LAYERS, TIMES[matrices])
    return {
        "steps": list(range(1, N_LAYERS + 1)),
        "spread": spread,
        "largest": largest,
    }


panel = Tabled(
    "twelve_layers",
    controls={
        "norm": Choice("Norm", passed.NORMS[0], passed.NORMS),
        "matrices": Choice("Matrices", "as drawn", tuple(TIMES)),
    },
    compute=_found,
    drawn=(
        Curves(
            "Spread of a row (log scale)",
            "steps",
            "layers",
            {"spread": "spread"},
            form=".1f",
            log="y",
        ),
        Curves(
            "Largest weight of a word",
            "steps",
            "layers",
            {"largest weight": "largest"},
        ),
    ),
    title="Rows that pass through twelve layers with random matrices",
    summary=(
        "Norm: {norm}. After layer 12, a row has a spread of {spread.11:.1f}; after "
        "layer 6, {spread.5:.1f}.",
        "The largest weight of a word, on average, is {largest.0:.2f} in layer 1, and "
        "{largest.11:.2f} in layer 12.",
    ),
    said=("spread {spread.11:.1f}", "largest weight {largest.11:.2f}"),
)
