"""attention: scores, scale, softmax and the weighted sum, all in one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attncourse.practice.exercises.softmax import sums
from attncourse.practice.mistakes.normalization import stable
from attncourse.practice.mistakes.online import not_rescaled
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.scale import root_d_k
from attnlib.attention import scaled_dot_product_attention
from named_mistakes.cases import CUBE, case, large, normal, sizes
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside

SHARES = "values that are the identity"


ATTENTION: Steps = {
    "scores": lambda s: s.query @ s.key.mT,
    "scaled": lambda s: s.scores / root_d_k(s),
    "weights": lambda s: stable(s.scaled),
    "output": lambda s: s.weights @ s.value,
}


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw the ordinary cases, and scores of which some are all far below 0."""
    cases = draw_ordinary(rng)
    for label, n_q, n_k in (("one query", 1, 7), ("one key", 5, 1)):
        three = (normal(rng, *shape) for shape in ((n_q, 3), (n_k, 3), (n_k, 11)))
        cases.append(attend(label, *three))
    _, _, value = large_inputs(rng)
    query = np.array([[40.0], [-40.0], [50.0]]) * np.ones(5)
    key = np.arange(40.0, 47.0)[:, None] * np.ones(5)
    return [*cases, attend("large scores", query, key, value, is_large=True)]


def draw_ordinary(rng: np.random.Generator) -> list[Case]:
    """Draw queries, keys and values, with sizes that differ and sizes that agree."""
    n_q, n_k, d_k, d_v = sizes(rng, 4)
    shapes = {
        "all sizes different": ((n_q, d_k), (n_k, d_k), (n_k, d_v)),
        "n_keys = d_k": ((n_q, d_k), (d_k, d_k), (d_k, d_v)),
        "n_queries = n_keys, d_v = d_k": ((n_q, d_k), (n_q, d_k), (n_q, d_k)),
        "all sizes equal": ((n_q, n_q),) * 3,
        "a batch": ((2, n_q, d_k), (2, n_k, d_k), (2, n_k, d_v)),
        "a batch of squares": (CUBE,) * 3,
        "two axes of batches": ((2, 3, n_q, d_k), (2, 3, n_k, d_k), (2, 3, n_k, d_v)),
    }
    cases = [
        attend(label, *(normal(rng, *shape) for shape in three))
        for label, three in shapes.items()
    ]
    query, key = normal(rng, n_q, d_k), normal(rng, n_k, d_k)
    cases.append(attend(SHARES, query, key, np.eye(n_k)))
    return [*cases, attend("large scores", *large_inputs(rng), is_large=True)]


def attend(label: str, query, key, value, **more) -> Case:
    """Make a case of attention."""
    return case(label, query=query, key=key, value=value, **more)


def large_inputs(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Draw inputs that overflow in every row: each query is also a key."""
    while True:
        query = large(rng, 3, 5)
        key = np.concatenate([query, large(rng, 4, 5)])
        scores = np.sort(query @ key.T, axis=-1)
        # One key wins clearly, so that rounding in a short dtype changes nothing. The
        # rows lie apart: with one maximum for all, the lowest is 0 / 0.
        clear = np.all(scores[:, -1] - scores[:, -2] > 500)
        if clear and np.ptp(scores[:, -1]) > 2000:
            return query, key, normal(rng, 7, 2)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def _divided_late(s) -> np.ndarray:
    powers = np.exp(s.scaled - s.scaled.max(axis=-1, keepdims=True))
    return powers @ s.value / powers.sum(axis=-1)


def shares(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Where the values are the identity, the output is the weights: judge those."""
    if not set(named) - {"overflow"}:
        seen = [j for j in judged if j.case.label == SHARES]
        yield from sums(exercise, seen, named, are_all=False)


MISTAKES = read_beside(__file__, globals(), ATTENTION)

EXERCISES = (
    Exercise(
        "attention",
        scaled_dot_product_attention,
        draw,
        ATTENTION,
        MISTAKES,
        signs=(overflow, not_rescaled, shares),
    ),
)
