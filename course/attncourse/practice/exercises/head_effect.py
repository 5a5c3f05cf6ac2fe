"""head_effect: how far another ending moves a word's weight from noun to noun."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib import softmax


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

SENTENCES = "what is done with the two sentences: the second is taken from the first"

WAYS = {
    "row": {
        "column-instead-of-row": (
            "the last two axes: a row for each query, a column for each key",
            (
                "taking what the nouns give “it”, not what “it” gives the nouns",
                lambda s: s.weights[..., s.it],
            ),
        ),
    },
    "preference": {
        "one-noun-only": (
            "what a preference is: what noun a gets, less what noun b gets",
            ("leaving noun b out", lambda s: s.row[..., s.a]),
            ("leaving noun a out", lambda s: -s.row[..., s.b]),
        ),
        "column-instead-of-row": (
            "the last two axes: a row for each query, a column for each key",
            (
                "what noun a gives “it”, less what “it” gives noun b",
                lambda s: s.weights[..., s.a, s.it] - s.row[..., s.b],
            ),
            (
                "what “it” gives noun a, less what noun b gives “it”",
                lambda s: s.row[..., s.a] - s.weights[..., s.b, s.it],
            ),
        ),
        "nouns-added": (
            "what a preference is: what noun a gets, less what noun b gets",
            (
                "adding up what the two nouns get",
                lambda s: s.row[..., s.a] + s.row[..., s.b],
            ),
        ),
        "ratio-instead-of-difference": (
            "what a preference is: what noun a gets, less what noun b gets",
            (
                "dividing what the two nouns get",
                lambda s: s.row[..., s.a] / s.row[..., s.b],
            ),
            (
                "the logarithm of what noun a gets divided by what noun b gets",
                lambda s: np.log(s.row[..., s.a] / s.row[..., s.b]),
            ),
            (
                "the share of noun a in what both get",
                lambda s: s.row[..., s.a] / (s.row[..., s.a] + s.row[..., s.b]),
            ),
        ),
    },
    "effect": {
        "one-sentence-only": (
            SENTENCES,
            ("the preference in the first", lambda s: s.preference[..., 0, :]),
            ("the preference in the second", lambda s: s.preference[..., 1, :]),
        ),
        "sentences-added": (
            SENTENCES,
            (
                "adding up the two preferences",
                lambda s: s.preference.sum(axis=-2),
            ),
            (
                "the mean of the two preferences",
                lambda s: s.preference.mean(axis=-2),
            ),
        ),
        "added-over-heads": (
            "what comes back: one number for each head",
            (
                "adding up the heads",
                lambda s: (s.preference[..., 0, :] - s.preference[..., 1, :]).sum(-1),
            ),
        ),
        "sizes-compared": (
            "the sign: whom “it” prefers in each sentence counts",
            (
                "comparing the sizes of the preferences, without their signs",
                lambda s: abs(s.preference[..., 0, :]) - abs(s.preference[..., 1, :]),
            ),
        ),
        "ratio-instead-of-difference": (
            SENTENCES,
            (
                "the change relative to the preference in the second sentence",
                lambda s: s.preference[..., 0, :] / s.preference[..., 1, :] - 1,
            ),
            (
                "dividing the preference in the first by that in the second",
                lambda s: s.preference[..., 0, :] / s.preference[..., 1, :],
            ),
        ),
        "multiplied": (
            SENTENCES,
            (
                "multiplying the two preferences",
                lambda s: s.preference[..., 0, :] * s.preference[..., 1, :],
            ),
        ),
        "sentences-not-joined": (
            SENTENCES,
            ("stopping at the two preferences", lambda s: s.preference),
        ),
        "one-noun-a-sentence": (
            "what is compared: both nouns, in each of the two sentences",
            (
                "noun b in the first sentence, less noun a in the second",
                lambda s: s.row[..., 0, :, s.b] - s.row[..., 1, :, s.a],
            ),
            (
                "noun a in the first sentence, less noun b in the second",
                lambda s: s.row[..., 0, :, s.a] - s.row[..., 1, :, s.b],
            ),
        ),
        "halved": (
            SENTENCES,
            (
                "half of the difference between the two",
                lambda s: (s.preference[..., 0, :] - s.preference[..., 1, :]) / 2,
            ),
        ),
        "sign-flipped": (
            "the sign: a head that turns the right way has an effect above 0",
            (
                "taking the first from the second",
                lambda s: s.preference[..., 1, :] - s.preference[..., 0, :],
            ),
            (
                "the size of the effect without its sign",
                lambda s: abs(s.preference[..., 0, :] - s.preference[..., 1, :]),
            ),
        ),
        "averaged-over-heads": (
            "what comes back: one number for each head",
            (
                "the mean over the heads",
                lambda s: (s.preference[..., 0, :] - s.preference[..., 1, :]).mean(-1),
            ),
        ),
        "wrong-axis": (
            "the axes: the last two of a preference are sentence and head",
            (
                "comparing two heads in place of the two sentences",
                lambda s: s.preference[..., 0] - s.preference[..., min(_last(s), 1)],
            ),
        ),
    },
}


def _last(s) -> int:
    return s.preference.shape[-1] - 1


MISTAKES = tuple(one for step, ways in WAYS.items() for one in mistakes_in(step, ways))

EXERCISES = (
    Exercise(
        "head_effect",
        head_effect,
        draw,
        EFFECT,
        MISTAKES,
        returns=("effect",),
    ),
)
