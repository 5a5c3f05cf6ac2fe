"""head_effect: how far another ending moves a word's weight from noun to noun."""

import numpy as np

from attncourse.practice.exercise import exercise
from attnlib import softmax
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw the weights of one pair of sentences and of several, in several heads."""
    shapes = {
        "one pair of sentences": ((), 5, 7),
        "one head": ((), 1, 7),
        "as many heads as sentences": ((), 2, 5),
        "as many heads as words": ((), 7, 7),
        "several pairs": ((3,), 5, 7),
        "several batches of pairs": ((2, 3), 2, 5),
    }
    return [_case(rng, label, *sizes) for label, sizes in shapes.items()]


def _case(
    rng: np.random.Generator, label: str, batch: tuple, n_heads: int, n: int
) -> Case:
    weights = softmax(2 * normal(rng, *batch, 2, n_heads, n, n))
    it, a, b = (int(place) for place in rng.permutation(n)[:3])
    return case(label, axes=4, weights=weights, it=it, a=a, b=b)


def head_effect(weights: np.ndarray, it: int, a: int, b: int) -> np.ndarray:
    """Return each head's preference with the first ending less that with the second."""
    row = weights[..., it, :]  # (..., 2, n_heads, n_tokens)
    preference = row[..., a] - row[..., b]
    return preference[..., 0, :] - preference[..., 1, :]


EFFECT: Steps = {
    "row": lambda s: s.weights[..., s.it, :],
    "preference": lambda s: s.row[..., s.a] - s.row[..., s.b],
    "effect": lambda s: s.preference[..., 0, :] - s.preference[..., 1, :],
}


TABLE = """
AXES = the last two axes: a row for each query, a column for each key
PREFERENCE = what a preference is: what noun a gets, less what noun b gets
SENTENCES = what is done with the two sentences: the second is taken from the first
EACH = what comes back: one number for each head

row | column-instead-of-row | {AXES}
    taking what the nouns give “it”, not what “it” gives the nouns = weights[..., it]

row | row-of-another-word | whose row is read: that of “it”, which is number `it`
    the row of the last token = weights[..., -1, :]
    the row of the first token = weights[..., 0, :]

preference | one-noun-only | {PREFERENCE}
    leaving noun b out = row[..., a]
    leaving noun a out = -row[..., b]

preference | column-instead-of-row | {AXES}
    what noun a gives “it”, less what “it” gives noun b =
        weights[..., a, it] - row[..., b]
    what “it” gives noun a, less what noun b gives “it” =
        row[..., a] - weights[..., b, it]

preference | nouns-added | {PREFERENCE}
    adding up what the two nouns get = row[..., a] + row[..., b]

preference | ratio-instead-of-difference | {PREFERENCE}
    dividing what the two nouns get = row[..., a] / row[..., b]
    the logarithm of what noun a gets divided by what noun b gets =
        np.log(row[..., a] / row[..., b])
    the share of noun a in what both get = row[..., a] / (row[..., a] + row[..., b])
    dividing the difference by what the two nouns get together =
        (row[..., a] - row[..., b]) / (row[..., a] + row[..., b])

effect | one-sentence-only | {SENTENCES}
    the preference in the first = preference[..., 0, :]
    the preference in the second = preference[..., 1, :]

effect | sentences-added | {SENTENCES}
    adding up the two preferences = preference.sum(axis=-2)
    the mean of the two preferences = preference.mean(axis=-2)

effect | added-over-heads | {EACH}
    adding up the heads = (preference[..., 0, :] - preference[..., 1, :]).sum(-1)

effect | sizes-compared | the sign: whom “it” prefers in each sentence counts
    comparing the sizes of the preferences, without their signs =
        abs(preference[..., 0, :]) - abs(preference[..., 1, :])

effect | ratio-instead-of-difference | {SENTENCES}
    the change relative to the preference in the second sentence =
        preference[..., 0, :] / preference[..., 1, :] - 1
    dividing the preference in the first by that in the second =
        preference[..., 0, :] / preference[..., 1, :]

effect | multiplied | {SENTENCES}
    multiplying the two preferences = preference[..., 0, :] * preference[..., 1, :]

effect | sentences-not-joined | {SENTENCES}
    stopping at the two preferences = preference

effect | one-noun-a-sentence | what is compared: both nouns, in each of the two
        sentences
    noun b in the first sentence, less noun a in the second =
        row[..., 0, :, b] - row[..., 1, :, a]
    noun a in the first sentence, less noun b in the second =
        row[..., 0, :, a] - row[..., 1, :, b]

effect | halved | {SENTENCES}
    half of the difference between the two =
        (preference[..., 0, :] - preference[..., 1, :]) / 2

effect | sign-flipped | the sign: a head that turns the right way has an effect above 0
    taking the first sentence from the second, or noun a from noun b =
        preference[..., 1, :] - preference[..., 0, :]
    the size of the effect without its sign =
        abs(preference[..., 0, :] - preference[..., 1, :])

effect | averaged-over-heads | {EACH}
    the mean over the heads = (preference[..., 0, :] - preference[..., 1, :]).mean(-1)

effect | wrong-axis | the axes: the last two of a preference are sentence and head
    comparing two heads in place of the two sentences =
        preference[..., 0] - preference[..., min(preference.shape[-1] - 1, 1)]

row | rows-averaged | whose weights are asked: those of “it”, in one row
    the mean of all rows = weights.mean(axis=-2)
"""

EXERCISE = exercise(globals(), head_effect, EFFECT, returns=("effect",))
