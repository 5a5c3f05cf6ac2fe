"""gradient_step: one step downhill on the mean squared error."""

import numpy as np

from named_mistakes import Case, Exercise, read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw tables; in a square one, what was not transposed computes all the same."""
    shapes = {"a tall table": (7, 3), "a wide table": (3, 5), "a square table": (4, 4)}
    return [
        Case(
            label,
            {
                "features": rng.standard_normal((n, d)),
                "target": rng.standard_normal(n),
                "weights": rng.standard_normal(d),
                "rate": float(rng.choice([0.05, 0.1, 0.3])),
            },
        )
        for label, (n, d) in shapes.items()
    ]


def gradient_step(features, target, weights, rate):
    """Go from the weights against the gradient of the mean squared error."""
    n = len(target)
    gradient = sum(
        2 * (row @ weights - y) * row for row, y in zip(features, target, strict=True)
    )
    return weights - rate * gradient / n


STEP = {
    "predicted": lambda s: s.features @ s.weights,
    "error": lambda s: s.predicted - s.target,
    "total": lambda s: s.features.T @ s.error,
    "gradient": lambda s: 2 * s.total / len(s.target),
    "after": lambda s: s.weights - s.rate * s.gradient,
}
GRADIENT_STEP = Exercise(
    "gradient_step",
    gradient_step,
    draw,
    STEP,
    read_beside(__file__, globals(), STEP),
    returns=("weights",),
)
