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
