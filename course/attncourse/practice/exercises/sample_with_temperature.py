"""sample_with_temperature: from logits and random numbers to words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib.probabilities import softmax

N_DRAWS = 101  # many for each row: one word alone could be right by luck


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw one row of logits and several, with low temperatures and high ones."""
    n, v, batch = (int(p) for p in rng.permutation([5, 7, 11]))
    shapes = {
        "a low temperature": ((v,), 0.5),
        "a high temperature": ((v,), 2.5),
        "temperature 1": ((n,), 1.0),
        "a batch of rows": ((batch, v), 1.7),
        "a square batch": ((5, 5), 0.6),
    }
    return [
        case(
            label,
            axes=1,
            logits=1.5 * normal(rng, *shape),
            temperature=temperature,
            numbers=rng.random((*shape[:-1], N_DRAWS)),
        )
        for label, (shape, temperature) in shapes.items()
    ]


SAMPLE: Steps = {
    "scaled": lambda s: s.logits / s.temperature,
    "chances": lambda s: softmax(s.scaled),
    "cumulative": lambda s: np.cumsum(s.chances, axis=-1),
    "ids": lambda s: _first_above(s.cumulative, s.numbers),
}


def _first_above(cumulative: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    return (cumulative[..., None, :] > numbers[..., None]).argmax(axis=-1)


def sample_with_temperature(
    logits: np.ndarray, temperature: float, numbers: np.ndarray
) -> np.ndarray:
    """Choose the first id whose cumulative probability exceeds each number."""
    cumulative = np.cumsum(softmax(logits / temperature), axis=-1)
    return _first_above(cumulative, numbers)


def _count(s) -> np.ndarray:
    """Count the words whose sum does not exceed a number; choose the last at most."""
    passed = (s.cumulative[..., None, :] <= s.numbers[..., None]).sum(axis=-1)
    return np.minimum(passed, s.logits.shape[-1] - 1)


def _over_all(x: np.ndarray) -> np.ndarray:
    return softmax(x.reshape(-1)).reshape(x.shape)


def _first_for_all(s) -> np.ndarray:
    return _first_above(s.cumulative, s.numbers[..., :1] + 0 * s.numbers)


def _from_sorted(s) -> np.ndarray:
    cumulative = np.cumsum(-np.sort(-s.chances, axis=-1), axis=-1)
    return _first_above(cumulative, s.numbers)


def _argmax(s) -> np.ndarray:
    return np.broadcast_to(s.chances.argmax(-1)[..., None], s.numbers.shape)


def _nearest(s) -> np.ndarray:
    far = np.abs(s.cumulative[..., None, :] - s.numbers[..., None])
    return far.argmin(axis=-1)


WAYS = {
    "scaled": {
        "multiplied-by-temperature": (
            "what the temperature does: a low one makes the likely words likelier",
            ("multiplying by the temperature", lambda s: s.logits * s.temperature),
        ),
        "temperature-ignored": (
            "where `temperature` is used",
            ("sampling at temperature 1", lambda s: s.logits),
            ("adding the temperature", lambda s: s.logits + s.temperature),
        ),
        "root-of-temperature": (
            "what the logits are divided by: the temperature itself",
            (
                "dividing by the root of the temperature",
                lambda s: s.logits / np.sqrt(s.temperature),
            ),
        ),
    },
    "chances": {
        "wrong-axis": (
            "the axis of softmax: the words of one row share 1",
            ("a softmax along axis 0", lambda s: softmax(s.scaled, axis=0)),
            ("one softmax over all rows", lambda s: _over_all(s.scaled)),
        ),
        "temperature-after-softmax": (
            "what is divided by the temperature: the logits, before softmax",
            (
                "dividing the probabilities by the temperature",
                lambda s: softmax(s.logits) / s.temperature,
            ),
        ),
        "not-normalised": (
            "what has to add up to 1 before it can be compared with a number below 1",
            ("exponentials without dividing by their sum", lambda s: np.exp(s.scaled)),
        ),
        "softmax-missing": (
            "what is added up word by word: probabilities, so softmax comes first",
            ("adding up the logits", lambda s: s.scaled),
        ),
    },
    "ids": {
        "argmax-always": (
            "where `numbers` is used: a likely word is chosen often, not always",
            ("choosing the most likely word every time", _argmax),
        ),
        "order-lost": (
            "what an index counts: after sorting, it is a rank and no longer a word",
            ("giving the rank in place of the word", _from_sorted),
        ),
        "off-by-one": (
            "the first word whose cumulative probability exceeds the number",
            (
                "choosing the word after it",
                lambda s: (
                    (_first_above(s.cumulative, s.numbers) + 1) % s.logits.shape[-1]
                ),
            ),
            (
                "counting the words from 1",
                lambda s: _first_above(s.cumulative, s.numbers) + 1,
            ),
            (
                "choosing the word before it",
                lambda s: _first_above(s.cumulative, s.numbers) - 1,
            ),
        ),
        "nearest-instead-of-first": (
            "which word owns a number: the one in whose share it lies",
            ("choosing the nearest cumulative probability", _nearest),
        ),
        "compared-with-probability": (
            "what a number is compared with: the sum of all probabilities so far",
            (
                "comparing with each probability alone",
                lambda s: _first_above(s.chances, s.numbers),
            ),
        ),
        "one-number-for-all": (
            "how many words are asked: one for each number",
            (
                "using the first number for all",
                lambda s: _first_above(
                    s.cumulative, s.numbers[..., :1] + 0 * s.numbers
                ),
            ),
        ),
    },
}
MISTAKES = tuple(one for step, ways in WAYS.items() for one in mistakes_in(step, ways))
# Sums that never reach 1, or do not rise: counted, they choose other words.
MISTAKES += tuple(
    replace(one, steps={**one.steps, "ids": lambda s: _count(s)})
    for one in MISTAKES
    if one.code in ("temperature-after-softmax", "softmax-missing")
)

EXERCISES = (
    Exercise(
        "sample_with_temperature",
        sample_with_temperature,
        draw,
        SAMPLE,
        MISTAKES,
        returns=("ids",),
        patience=4,
    ),
)
