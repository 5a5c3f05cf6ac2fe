"""Right and wrong answers for head_effect, in several styles."""

import numpy as np

from attncourse.practice.exercises.head_effect import head_effect
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def by_loops(weights, it, a, b):
    *batch, _, n_heads, n, _ = weights.shape
    flat = weights.reshape(-1, 2, n_heads, n, n)
    effects = [
        [
            (pair[0, h, it, a] - pair[0, h, it, b])
            - (pair[1, h, it, a] - pair[1, h, it, b])
            for h in range(n_heads)
        ]
        for pair in flat
    ]
    return np.reshape(effects, (*batch, n_heads))


@right
def by_difference(weights, it, a, b):
    change = -np.diff(weights[..., it, :], axis=-3)[..., 0, :, :]
    return change[..., a] - change[..., b]


@wrong("column-instead-of-row")
def column(weights, it, a, b):
    preference = weights[..., a, it] - weights[..., b, it]
    return preference[..., 0, :] - preference[..., 1, :]


@wrong("wrong-axis")
def heads_compared(weights, it, a, b):
    preference = weights[..., it, a] - weights[..., it, b]
    return preference[..., 0] - preference[..., :2][..., -1]


wrong("sign-flipped")(lambda w, it, a, b: head_effect(w, it, b, a))
wrong("one-noun-only")(lambda w, it, a, b: w[..., 0, :, it, a] - w[..., 1, :, it, a])
wrong("one-sentence-only")(
    lambda w, it, a, b: w[..., 0, :, it, a] - w[..., 0, :, it, b]
)
wrong("nouns-added")(
    lambda w, it, a, b: (
        head_effect(w, it, a, b) + 2 * (w[..., 0, :, it, b] - w[..., 1, :, it, b])
    )
)
wrong("averaged-over-heads")(lambda *four: head_effect(*four).mean(axis=-1))


@wrong("input-ignored")
def places_written_down(weights, it, a, b):
    preference = weights[..., 3, 0] - weights[..., 3, 2]
    return preference[..., 0, :] - preference[..., 1, :]


@wrong("ratio-instead-of-difference")
def relative_preference(weights, it, a, b):
    first, second = weights[..., it, a], weights[..., it, b]
    preference = (first - second) / (first + second)
    return preference[..., 0, :] - preference[..., 1, :]
