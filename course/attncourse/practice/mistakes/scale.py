"""The scale of attention: wrong divisors, and divisions at the wrong time."""

import math

from attncourse.practice.mistakes.normalization import stable
from named_mistakes.exercise import Mistake, Step
from named_mistakes.table import read


def root_d_k(s) -> float:
    """Give the right divisor."""
    return math.sqrt(s.query.shape[-1])


DIVISOR = "what the scores are divided by, and when"
TABLE = """
scaled | missing-scale | {DIVISOR}
    leaving the scores unscaled = scores * 1.0

scaled | scaled-by-d_k | {DIVISOR}
    dividing by d_k itself = scores * (1 / query.shape[-1])

scaled | scaled-by-n | {DIVISOR}
    dividing by the root of the number of keys = scores * key.shape[-2] ** -0.5
    dividing by the number of keys = scores * (1 / key.shape[-2])
    dividing by the root of the number of queries = scores * query.shape[-2] ** -0.5
    dividing by the number of queries = scores * (1 / query.shape[-2])
    dividing by the root of the length of the first axis of query =
        scores * query.shape[0] ** -0.5
    dividing by the length of the first axis of query = scores * (1 / query.shape[0])
    dividing by the root of the length of the first axis of key =
        scores * key.shape[0] ** -0.5
    dividing by the length of the first axis of key = scores * (1 / key.shape[0])

scaled | root-precedence | {DIVISOR}
    d_k ** 1/2, which is half of d_k: the power comes before the division =
        scores * (2 / query.shape[-1])
    d_k ** 1/2, which Python reads as a division by d_k and then by 2 =
        scores * (1 / (2 * query.shape[-1]))

scaled | constant-scale | {DIVISOR}
    for n in 2, 4, 8, 64: dividing by {n}, whatever d_k is = scores * (1 / {n})

scaled | multiplied-by-root | {DIVISOR}
    multiplying by √d_k = scores * root_d_k(s)

scaled | multiplied-by-d_k | {DIVISOR}
    multiplying by d_k = scores * query.shape[-1]

scaled | scaled-by-d_v | {DIVISOR}
    dividing by the root of d_v = scores * value.shape[-1] ** -0.5
    dividing by d_v = scores * (1 / value.shape[-1])

scaled | floor-division | the operator of the division
    dividing with //, which cuts the decimals off = scores // root_d_k(s)

scaled | sign-flipped | the sign: the largest score gets the largest weight
    a minus before the scores = -scores / root_d_k(s)
"""
MISTAKES = read(TABLE, globals(), file=__file__)


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
