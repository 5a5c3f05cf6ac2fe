"""sample_with_temperature: from logits and random numbers to words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from attnlib.probabilities import softmax
from named_mistakes.cases import case, normal
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.report import Finding
from named_mistakes.table import read_beside

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


def _over_all(x: np.ndarray) -> np.ndarray:
    return softmax(x.reshape(-1)).reshape(x.shape)


def _from_sorted(s) -> np.ndarray:
    cumulative = np.cumsum(-np.sort(-s.chances, axis=-1), axis=-1)
    return _first_above(cumulative, s.numbers)


def _argmax(s) -> np.ndarray:
    return np.broadcast_to(s.chances.argmax(-1)[..., None], s.numbers.shape)


def _from_likeliest(s, k: int, sign: int = 1) -> np.ndarray:
    """Choose among the k likeliest words, the likeliest first."""
    order = np.argsort(-sign * s.chances, axis=-1, kind="stable")[..., :k]
    kept = np.take_along_axis(s.chances, order, axis=-1)
    shares = np.cumsum(kept / kept.sum(axis=-1, keepdims=True), axis=-1)
    return np.take_along_axis(order, _first_above(shares, s.numbers), axis=-1)


def _nearest(s) -> np.ndarray:
    far = np.abs(s.cumulative[..., None, :] - s.numbers[..., None])
    return far.argmin(axis=-1)


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


MISTAKES = read_beside(__file__, globals(), SAMPLE)

EXERCISES = (
    Exercise(
        "sample_with_temperature",
        sample_with_temperature,
        draw,
        SAMPLE,
        MISTAKES,
        signs=(too_large,),
        returns=("ids",),
        patience=4,
    ),
)
