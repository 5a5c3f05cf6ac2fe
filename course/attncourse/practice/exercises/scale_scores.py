"""scale_scores: dot products brought back to size."""

from __future__ import annotations

import math

import numpy as np

from attncourse.practice.engine.cases import case, large, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Step, mistake
from attncourse.practice.mistakes.normalization import too_soon
from attnlib.scores import scale_scores


def draw(rng: np.random.Generator) -> list[Case]:
    """Scores, with a d_k that is not one of their sizes."""
    n_q, n_k, d_k, batch = sizes(rng, 4)
    return [
        case("a matrix", scores=normal(rng, n_q, n_k), d_k=d_k),
        case("d_k = 64", scores=normal(rng, n_k, n_q), d_k=64),
        case("a square matrix", scores=normal(rng, n_q, n_q), d_k=d_k),
        case("a batch", scores=normal(rng, batch, n_q, n_k), d_k=d_k),
        case("two axes of batches", scores=normal(rng, 2, batch, n_q, n_k), d_k=d_k),
        case("large scores", scores=large(rng, n_q, n_k) * 1e3, d_k=d_k),
    ]


SCALE = {"scaled": lambda s: s.scores / math.sqrt(s.d_k)}
DIVISOR = "the number that the scores are divided by"


def _times(factor: Step) -> Step:
    return lambda s: s.scores * factor(s)


SCALES = {
    "missing-scale": {"scores left as they are": lambda s: 1.0},
    "scaled-by-d_k": {"dividing by d_k itself": lambda s: 1 / s.d_k},
    "scaled-by-n": {
        f"dividing by {what}": lambda s, size=size, power=power: size(s) ** -power
        for power, root in ((0.5, "the root of "), (1, ""))
        for what, size in (
            (f"{root}the number of keys", lambda s: s.scores.shape[-1]),
            (f"{root}the number of queries", lambda s: s.scores.shape[-2]),
            (f"{root}the length of the first axis", lambda s: s.scores.shape[0]),
        )
    },
    "constant-scale": {"dividing by 8, whatever d_k is": lambda s: 1 / 8},
    "multiplied-by-root": {"multiplying by √d_k": lambda s: math.sqrt(s.d_k)},
    "multiplied-by-d_k": {"multiplying by d_k": lambda s: s.d_k},
    "other-root": {
        "dividing by the fourth root of d_k": lambda s: s.d_k**-0.25,
        "dividing by the third root of d_k": lambda s: s.d_k ** (-1 / 3),
    },
    "near-the-root": {
        "dividing by √(d_k − 1)": lambda s: (s.d_k - 1) ** -0.5,
        "dividing by √(d_k + 1)": lambda s: (s.d_k + 1) ** -0.5,
        "dividing by √d_k + 1": lambda s: 1 / (math.sqrt(s.d_k) + 1),
        "dividing by √d_k three times": lambda s: s.d_k**-1.5,
        "dividing by √d_k and by its root": lambda s: s.d_k**-0.75,
        "dividing by the exponential of d_k": lambda s: math.exp(-s.d_k),
    },
    "logarithm-instead-of-root": {
        "dividing by the logarithm of d_k": lambda s: 1 / math.log(s.d_k),
        "dividing by the logarithm of base 2": lambda s: 1 / math.log2(s.d_k),
    },
    "scaled-by-square": {"dividing by the square of d_k": lambda s: s.d_k**-2.0},
}
# Python reads d_k ** 1 / 2 as (d_k ** 1) / 2.
PRECEDENCE = {
    "dividing by d_k, and then by 2": lambda s: 1 / (2 * s.d_k),
    "dividing by half of d_k": lambda s: 2 / s.d_k,
    "multiplying by half of d_k": lambda s: s.d_k / 2,
}
ORDER = "the order in which Python reads ** and /: which of them comes first?"


SCALE_MISTAKES = (
    too_soon(**SCALE),
    mistake(
        "root-cut-off",
        "a root that is cut off to a whole number",
        "what int does to the root",
        scaled=lambda s: s.scores / int(math.sqrt(s.d_k)),
    ),
    mistake(
        "root-cut-off",
        "a root that is rounded to a whole number",
        "what becomes of the root: d_k need not be a square",
        scaled=lambda s: s.scores / round(math.sqrt(s.d_k)),
    ),
    mistake(
        "subtracted-instead",
        "subtracting √d_k",
        "the operator: the scores are divided",
        scaled=lambda s: s.scores - math.sqrt(s.d_k),
    ),
    *(
        mistake(
            "standardized",
            cause,
            "what the scores are divided by: it depends on d_k, not on the scores",
            scaled=step,
        )
        for cause, step in (
            (
                "dividing by their standard deviation",
                lambda s: s.scores / s.scores.std(),
            ),
            (
                "dividing each row by its standard deviation",
                lambda s: s.scores / s.scores.std(axis=-1, keepdims=True),
            ),
            (
                "dividing by the length of all scores together",
                lambda s: s.scores / np.linalg.norm(s.scores),
            ),
            (
                "dividing each row by its length",
                lambda s: s.scores / np.linalg.norm(s.scores, axis=-1, keepdims=True),
            ),
            (
                "dividing each row by its sum",
                lambda s: s.scores / s.scores.sum(axis=-1, keepdims=True),
            ),
            ("dividing by the largest score", lambda s: s.scores / s.scores.max()),
        )
    ),
    mistake(
        "floor-division",
        "dividing with //, which cuts the decimals off",
        "the operator of the division",
        scaled=lambda s: s.scores // math.sqrt(s.d_k),
    ),
    *(
        mistake(code, cause, DIVISOR, scaled=_times(factor))
        for code, ways in SCALES.items()
        for cause, factor in ways.items()
    ),
    *(
        mistake("root-precedence", cause, ORDER, scaled=_times(factor))
        for cause, factor in PRECEDENCE.items()
    ),
    *(
        mistake("root-of-scores", "taking the root of the scores", "the root", scaled=f)
        for f in (
            lambda s: np.sqrt(s.scores) / s.d_k,
            lambda s: np.sqrt(s.scores) / math.sqrt(s.d_k),
            lambda s: np.sqrt(s.scores),
        )
    ),
)

EXERCISES = (
    Exercise(
        "scale_scores",
        scale_scores,
        draw,
        SCALE,
        SCALE_MISTAKES,
        returns=("scores",),
    ),
)
