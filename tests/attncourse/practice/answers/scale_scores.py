"""Right and wrong answers for scale_scores, in several styles."""

import math

import numpy as np

from attnlib import scale_scores
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


@right
def scale_by_loops(scores, d_k):
    if isinstance(scores, np.ndarray) and scores.ndim:
        return [scale_by_loops(row, d_k) for row in scores]
    return scores / math.sqrt(d_k)


@right
def scale_in_place(scores, d_k):
    scores = np.array(scores)
    scores *= d_k**-0.5
    return scores


right(
    scale_scores, lambda scores, d_k: scores.astype("f4") / np.float32(math.sqrt(d_k))
)
wrong("missing-scale")(lambda s, d_k: s, lambda s, d_k: [list(r) for r in 1.0 * s])
wrong("scaled-by-d_k")(lambda s, d: s / d, lambda s, d: np.multiply(s, d**-1.0))
wrong("scaled-by-n")(
    lambda s, d: s / math.sqrt(s.shape[-1]),
    lambda s, d: s / s.shape[-1],
    lambda s, d: s * s.shape[-2] ** -0.5,
    lambda s, d: s / np.sqrt(len(s)),
    lambda s, d: (
        [row / len(row) ** 0.5 for row in s] if s.ndim == 2 else s / s.shape[-1] ** 0.5
    ),
)
wrong("multiplied-by-root")(
    lambda s, d_k: s * math.sqrt(d_k),
    lambda s, d_k: np.exp(np.log(d_k) / 2) * s,
    lambda s, d_k: s / d_k**-0.5,
)
wrong("multiplied-by-d_k")(lambda s, d_k: d_k * s)
wrong("scaled-by-square")(lambda s, d_k: s / d_k**2)
wrong("root-precedence")(
    lambda s, d_k: s / d_k**1 / 2,
    lambda s, d_k: s / (d_k**1 / 2),
    lambda s, d_k: s * d_k**-1 / 2,
    lambda s, d_k: s * d_k**1 / 2,
)
wrong("root-of-scores")(lambda s, d_k: np.sqrt(s / d_k), lambda s, d_k: s**0.5 / d_k)
wrong("softmax-too-soon")(lambda scores, d_k: soft(scores / math.sqrt(d_k)))
wrong("root-cut-off")(lambda scores, d_k: scores / int(math.sqrt(d_k)))
wrong("root-cut-off")(lambda s, d_k: s / np.ceil(d_k**0.5))
