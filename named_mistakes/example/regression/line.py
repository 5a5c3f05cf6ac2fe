"""fit_line: the line through points that leaves the least squares."""

import numpy as np

from named_mistakes import Case, Exercise, read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw a few points, many, and some far from 0."""
    cases = {"a few points": (4, 0), "many points": (31, 0), "far from 0": (7, 9)}
    return [
        Case(label, {"x": x, "y": 2 - 3 * x + rng.standard_normal(n)})
        for label, (n, where) in cases.items()
        for x in [where + rng.standard_normal(n)]
    ]


def fit_line(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Ask NumPy."""
    slope, intercept = np.polyfit(x, y, deg=1)
    return slope, intercept


# The steps to the answer, by name; a line of the table replaces one or several.
LINE = {
    "dx": lambda s: s.x - s.x.mean(),
    "dy": lambda s: s.y - s.y.mean(),
    "products": lambda s: (s.dx * s.dy).sum(),
    "squares": lambda s: (s.dx**2).sum(),
    "slope": lambda s: s.products / s.squares,
    "intercept": lambda s: s.y.mean() - s.slope * s.x.mean(),
    "line": lambda s: (s.slope, s.intercept),
}
FIT_LINE = Exercise(
    "fit_line",
    fit_line,
    draw,
    LINE,
    read_beside(__file__, globals(), LINE),
    returns=("slope", "intercept"),
)
