"""sample_with_temperature: from logits and random numbers to words."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from attncourse.practice.exercise import exercise
from attnlib.probabilities import softmax
from named_mistakes.cases import case, normal
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.report import Finding

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
    cases = [
        case(
            label,
            axes=1,
            logits=1.5 * normal(rng, *shape),
            temperature=temperature,
            numbers=rng.random((*shape[:-1], N_DRAWS)),
        )
        for label, (shape, temperature) in shapes.items()
    ]
    # All probabilities are 1/4: every number is one of their sums, not rounded.
    even: dict[str, Any] = {
        "logits": np.full(4, rng.standard_normal()),
        "temperature": 1.0,
        "numbers": np.arange(4) / 4,
    }
    # One word is all but certain, neither the first nor the last; 0 is no word's sum.
    far = -400.0 * np.abs(np.arange(v) - 2)
    numbers = np.append(0.0, rng.random(N_DRAWS - 1))
    large: dict[str, Any] = {"temperature": 0.5, "numbers": numbers}
    return [
        *cases,
        case("temperature 1", axes=1, **even),
        case("a low temperature", axes=1, is_large=True, logits=far + 900, **large),
        case("a low temperature", axes=1, is_large=True, logits=far - 900, **large),
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


def _from_likeliest(s, k: int, sign: int = 1) -> np.ndarray:
    """Choose among the k likeliest words, the likeliest first."""
    order = np.argsort(-sign * s.chances, axis=-1, kind="stable")[..., :k]
    kept = np.take_along_axis(s.chances, order, axis=-1)
    shares = np.cumsum(kept / kept.sum(axis=-1, keepdims=True), axis=-1)
    return np.take_along_axis(order, _first_above(shares, s.numbers), axis=-1)


def too_large(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Tell an exponential that overflows from the ids alone: right but for large."""
    if named or not all(j.right for j in judged if not j.case.is_large):
        return
    for one in judged:
        if one.case.is_large and not one.right and one.fits:
            yield Finding(
                "overflow",
                f"For {one.case.described()}, finite but large, your ids are wrong, "
                "and elsewhere they are right. exp(710) is too large for a float, and "
                "exp(-746) is 0: look at what reaches the exponential.",
                about="large",
            )


TABLE = """
DIVISOR = what the logits are divided by: the temperature itself
DIVIDED = what is divided by the temperature: the logits, before softmax
ADDED = what is added up word by word: probabilities, so softmax comes first

scaled | multiplied-by-temperature | what the temperature does: a low one makes the
        likely words likelier
    multiplying by the temperature = logits * temperature

scaled | temperature-ignored | where `temperature` is used
    sampling at temperature 1 = logits
    adding the temperature = logits + temperature
    subtracting the temperature = logits - temperature

scaled | temperature-changed | {DIVISOR}
    dividing by the square of the temperature = logits / temperature**2
    dividing by 1 more than the temperature = logits / (1 + temperature)
    a minus before the logits = -logits / temperature

scaled | root-of-temperature | {DIVISOR}
    dividing by the root of the temperature = logits / np.sqrt(temperature)

chances | wrong-axis | the axis of softmax: the words of one row share 1
    a softmax along axis 0 = softmax(scaled, axis=0)
    one softmax over all rows =
        softmax(scaled.reshape(-1)).reshape(scaled.shape)

chances | temperature-after-softmax | {DIVIDED}
    dividing the probabilities by the temperature = softmax(logits) / temperature

not-normalized | what has to add up to 1 before it can be compared with a number below 1
    exponentials without dividing by their sum = chances: np.exp(scaled)
    exponentials without dividing by their sum =
        chances: np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    exponentials without dividing by their sum = chances: np.exp(scaled), ids: _count(s)
    exponentials without dividing by their sum =
        chances: np.exp(scaled - scaled.max(axis=-1, keepdims=True)), ids: _count(s)

chances | temperature-before-and-after | where the temperature is used: once, before
        softmax
    dividing before softmax and after it = softmax(scaled) / temperature

chances | probabilities-divided | {DIVIDED}
    dividing probabilities by the temperature, and a second softmax =
        softmax(softmax(logits) / temperature)

chances | softmax-twice | how often softmax is applied: once
    softmax on top of softmax = softmax(softmax(scaled))

chances | powers-of-two | the base of the powers
    powers of 2 = softmax(scaled * np.log(2))

chances | softmax-missing | {ADDED}
    adding up the logits = scaled

ids | argmax-always | where `numbers` is used: a likely word is chosen often, not always
    choosing the most likely word every time =
        np.broadcast_to(chances.argmax(-1)[..., None], numbers.shape)

ids | order-lost | what an index counts: after sorting, it is a rank and no longer a
        word
    giving the rank in place of the word =
        _first_above(np.cumsum(-np.sort(-chances, axis=-1), axis=-1), numbers)

ids | number-reached | a number that a sum just reaches: it has to be exceeded
    choosing the first word whose sum reaches the number =
        (cumulative[..., None, :] >= numbers[..., None]).argmax(axis=-1)

ids | last-instead-of-first | which word is asked: the first whose cumulative
        probability is larger
    choosing the last word whose sum does not exceed the number =
        np.maximum(_count(s) - 1, 0)
    adding up from the last word =
        _first_above(np.cumsum(chances[..., ::-1], axis=-1), numbers)
    adding up from the last word, counted back =
        logits.shape[-1] - 1 - _first_above(np.cumsum(chances[..., ::-1], -1), numbers)

ids | numbers-changed | the numbers: each is compared as it is, and in its place
    taking 1 less each number = _first_above(cumulative, 1 - numbers)
    sorting the numbers = _first_above(cumulative, np.sort(numbers, axis=-1))

ids | sorted-words | the order of the words: probabilities are added up as the words
        stand
    adding up from the likeliest word on = _from_likeliest(s, logits.shape[-1])
    adding up from the unlikeliest word on = _from_likeliest(s, logits.shape[-1], -1)

ids | top-k | which words may be chosen: all of them
    for n in 2, 3, 4, 5: choosing among the {n} likeliest = _from_likeliest(s, {n})

ids | table-instead-of-ids | what comes back: one id for each number
    saying for every word whether its sum exceeds the number =
        (cumulative[..., None, :] > numbers[..., None]) * 1
    saying for every word whether its sum exceeds the number =
        (cumulative[..., None, :] <= numbers[..., None]) * 1
    one id for a row of logits = (cumulative > numbers[..., :1]).argmax(axis=-1)
    one id for a row of logits = chances.argmax(axis=-1)

ids | off-by-one | the first word whose cumulative probability exceeds the number
    choosing the word after it =
        (_first_above(cumulative, numbers) + 1) % logits.shape[-1]
    counting the words from 1 = _first_above(cumulative, numbers) + 1
    choosing the word before it = _first_above(cumulative, numbers) - 1

ids | nearest-instead-of-first | which word owns a number: the one in whose share it
        lies
    choosing the nearest cumulative probability =
        np.abs(cumulative[..., None, :] - numbers[..., None]).argmin(axis=-1)

ids | compared-with-probability | what a number is compared with: the sum of all
        probabilities so far
    comparing with each probability alone = _first_above(chances, numbers)

ids | one-number-for-all | how many words are asked: one for each number
    using the first number for all =
        _first_above(cumulative, numbers[..., :1] + 0 * numbers)

# Sums that never reach 1, or do not rise: counted, they choose other words.
chances, ids | temperature-after-softmax | {DIVIDED}
    dividing the probabilities by the temperature =
        softmax(logits) / temperature, _count(s)

chances, ids | softmax-missing | {ADDED}
    adding up the logits = scaled, _count(s)

ids | comparison-reversed | the comparison: the first sum that is larger than the number
    the first sum that is smaller than the number =
        (cumulative[..., None, :] < numbers[..., None]).argmax(axis=-1)
    the first sum that is not larger than the number =
        (cumulative[..., None, :] > numbers[..., None]).argmin(axis=-1)

ids | compared-with-probability | what a number is compared with: the sum of all
        probabilities so far
    counting the words whose own probability does not exceed the number =
        np.minimum(
            (chances[..., None, :] <= numbers[..., None]).sum(axis=-1),
            logits.shape[-1] - 1,
        )

ids | counted-the-rest | which id: how many sums do not exceed the number
    counting the sums that exceed the number =
        (cumulative[..., None, :] > numbers[..., None]).sum(axis=-1)

ids | probability-instead | what comes back: ids, which say which word
    the probabilities of all words = chances
    the sums of probabilities = cumulative
    the probability of the word in place of its id =
        np.take_along_axis(chances, _first_above(cumulative, numbers), axis=-1)
    the sum that exceeds the number in place of the word's id =
        np.take_along_axis(cumulative, _first_above(cumulative, numbers), axis=-1)
"""

EXERCISE = exercise(
    globals(),
    sample_with_temperature,
    SAMPLE,
    signs=(too_large,),
    returns=("ids",),
    patience=4,
)
