"""The scale of attention: wrong divisors, and divisions at the wrong time."""

from __future__ import annotations

import math

from attncourse.practice.mistakes.normalization import stable
from named_mistakes.exercise import Mistake, Step
from named_mistakes.table import read, read_beside


def root_d_k(s) -> float:
    """Give the right divisor."""
    return math.sqrt(s.query.shape[-1])


DIVISOR = "what the scores are divided by, and when"
MISTAKES = read_beside(__file__, globals())


AFTER = """
scaled, weights | scaled-after-softmax | the order of the steps: softmax does not
        forgive a late division
    dividing the weights instead of the scores = scores, weigh(s) / root_d_k(s)

weights | scaled-twice | {DIVISOR}
    dividing both before and after softmax = weigh(s) / root_d_k(s)
"""


def after_mistakes(weigh: Step = lambda s: stable(s.scaled)) -> tuple[Mistake, ...]:
    """Write down what goes wrong about the order of scale and softmax."""
    return read(AFTER, {**globals(), "weigh": weigh}, file=__file__)
