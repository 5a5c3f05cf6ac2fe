"""scale_scores: dot products brought back to size."""

import math

import numpy as np

from attncourse.practice.exercise import exercise
from attnlib.scores import scale_scores
from named_mistakes.cases import case, large, normal, sizes
from named_mistakes.exercise import Case


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


TABLE = """
from attncourse.practice.mistakes.normalization import stable

DIVISOR = the number that the scores are divided by
ORDER = the order in which Python reads ** and /: which of them comes first?

scaled | softmax-too-soon | what is asked: softmax is a step of its own, and not this
        one
    a softmax on top of it = stable(scores / math.sqrt(d_k))

scaled | root-cut-off | what int does to the root
    a root that is cut off to a whole number = scores / int(math.sqrt(d_k))

scaled | root-cut-off | what becomes of the root: d_k need not be a square
    a root that is rounded to a whole number = scores / round(math.sqrt(d_k))
    a root that is rounded up to a whole number = scores / math.ceil(math.sqrt(d_k))

scaled | subtracted-instead | the operator: the scores are divided
    subtracting √d_k = scores - math.sqrt(d_k)

scaled | standardized | what the scores are divided by: it depends on d_k, not on the
        scores
    dividing by their standard deviation = scores / scores.std()
    dividing each row by its standard deviation =
        scores / scores.std(axis=-1, keepdims=True)
    dividing by the length of all scores together = scores / np.linalg.norm(scores)
    dividing each row by its length =
        scores / np.linalg.norm(scores, axis=-1, keepdims=True)
    dividing each row by its sum = scores / scores.sum(axis=-1, keepdims=True)
    dividing by the largest score = scores / scores.max()

scaled | floor-division | the operator of the division
    dividing with //, which cuts the decimals off = scores // math.sqrt(d_k)

scaled | missing-scale | {DIVISOR}
    scores left as they are = scores * 1.0

scaled | scaled-by-d_k | {DIVISOR}
    dividing by d_k itself = scores * (1 / d_k)

scaled | scaled-by-n | {DIVISOR}
    dividing by the root of the number of keys = scores * scores.shape[-1] ** -0.5
    dividing by the root of the number of queries = scores * scores.shape[-2] ** -0.5
    dividing by the root of the length of the first axis =
        scores * scores.shape[0] ** -0.5
    dividing by the number of keys = scores * scores.shape[-1] ** -1
    dividing by the number of queries = scores * scores.shape[-2] ** -1
    dividing by the length of the first axis = scores * scores.shape[0] ** -1

scaled | constant-scale | {DIVISOR}
    dividing by 8, whatever d_k is = scores * (1 / 8)

scaled | multiplied-by-root | {DIVISOR}
    multiplying by √d_k = scores * math.sqrt(d_k)

scaled | multiplied-by-d_k | {DIVISOR}
    multiplying by d_k = scores * d_k

scaled | other-root | {DIVISOR}
    dividing by the fourth root of d_k = scores * d_k ** -0.25
    dividing by the third root of d_k = scores * d_k ** (-1 / 3)

scaled | near-the-root | {DIVISOR}
    dividing by √(d_k − 1) = scores * (d_k - 1) ** -0.5
    dividing by √(d_k + 1) = scores * (d_k + 1) ** -0.5
    dividing by √d_k + 1 = scores * (1 / (math.sqrt(d_k) + 1))
    dividing by √d_k three times = scores * d_k ** -1.5
    dividing by √d_k and by its root = scores * d_k ** -0.75
    dividing by the exponential of d_k = scores * math.exp(-d_k)

scaled | logarithm-instead-of-root | {DIVISOR}
    dividing by the logarithm of d_k = scores * (1 / math.log(d_k))
    dividing by the logarithm of base 2 = scores * (1 / math.log2(d_k))

scaled | scaled-by-square | {DIVISOR}
    dividing by the square of d_k = scores * d_k ** -2.0

# Python reads d_k ** 1 / 2 as (d_k ** 1) / 2.
scaled | root-precedence | {ORDER}
    dividing by d_k, and then by 2 = scores * (1 / (2 * d_k))
    dividing by half of d_k = scores * (2 / d_k)
    multiplying by half of d_k = scores * (d_k / 2)

scaled | root-of-scores | the root
    taking the root of the scores = np.sqrt(scores) / d_k
    taking the root of the scores = np.sqrt(scores) / math.sqrt(d_k)
    taking the root of the scores = np.sqrt(scores)

scaled | root-of-scores | what the root is taken of: d_k alone
    the root of the scores, too = np.sign(scores) * np.sqrt(np.abs(scores) / d_k)
"""

EXERCISE = exercise(globals(), scale_scores, SCALE, returns=("scores",))
