"""The scale of attention: wrong divisors, and divisions at the wrong time."""

from __future__ import annotations

import math

from attncourse.practice.engine.exercise import Step, mistake
from attncourse.practice.mistakes.normalization import stable


def root_d_k(s) -> float:
    """Give the right divisor."""
    return math.sqrt(s.query.shape[-1])


DIVISOR = "what the scores are divided by, and when"


def _scaled(factor: Step) -> Step:
    return lambda s: s.scores * factor(s)


def by(size: Step, what: str) -> dict[str, Step]:
    """Divide by a size, or by its root."""
    return {
        f"dividing by the root of {what}": lambda s: size(s) ** -0.5,
        f"dividing by {what}": lambda s: 1 / size(s),
    }


BY_N = (
    *by(lambda s: s.key.shape[-2], "the number of keys").items(),
    *by(lambda s: s.query.shape[-2], "the number of queries").items(),
    *by(lambda s: s.query.shape[0], "the length of the first axis of query").items(),
    *by(lambda s: s.key.shape[0], "the length of the first axis of key").items(),
)
SCALES: tuple[tuple[str, str, Step], ...] = (
    ("missing-scale", "leaving the scores unscaled", lambda s: 1.0),
    ("scaled-by-d_k", "dividing by d_k itself", lambda s: 1 / s.query.shape[-1]),
    *(("scaled-by-n", cause, factor) for cause, factor in BY_N),
    (
        "root-precedence",
        "d_k ** 1/2, which is half of d_k: the power comes before the division",
        lambda s: 2 / s.query.shape[-1],
    ),
    (
        "root-precedence",
        "d_k ** 1/2, which Python reads as a division by d_k and then by 2",
        lambda s: 1 / (2 * s.query.shape[-1]),
    ),
    *(
        ("constant-scale", f"dividing by {n}, whatever d_k is", lambda s, n=n: 1 / n)
        for n in (8, 64)
    ),
    ("multiplied-by-root", "multiplying by √d_k", root_d_k),
    ("multiplied-by-d_k", "multiplying by d_k", lambda s: s.query.shape[-1]),
    *(
        ("scaled-by-d_v", cause, factor)
        for cause, factor in by(lambda s: s.value.shape[-1], "d_v").items()
    ),
)


def scale_mistakes(scales=SCALES) -> tuple:
    """Write the wrong divisors down as mistakes."""
    floor = mistake(
        "floor-division",
        "dividing with //, which cuts the decimals off",
        "the operator of the division",
        scaled=lambda s: s.scores // root_d_k(s),
    )
    return (
        *(
            mistake(code, cause, DIVISOR, scaled=_scaled(factor))
            for code, cause, factor in scales
        ),
        floor,
    )


def after_mistakes(weigh: Step = lambda s: stable(s.scaled)) -> tuple:
    """Write down what goes wrong about the order of scale and softmax."""
    return (
        mistake(
            "scaled-after-softmax",
            "dividing the weights instead of the scores",
            "the order of the steps: softmax does not forgive a late division",
            scaled=lambda s: s.scores,
            weights=lambda s: weigh(s) / root_d_k(s),
        ),
        mistake(
            "scaled-twice",
            "dividing both before and after softmax",
            DIVISOR,
            weights=lambda s: weigh(s) / root_d_k(s),
        ),
    )
