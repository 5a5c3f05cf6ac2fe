"""attention: scores, scale, softmax and the weighted sum, all in one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, large, normal, sizes
from attncourse.practice.engine.compare import Judged
from attncourse.practice.engine.exercise import Case, Exercise, Steps, mistake
from attncourse.practice.exercises.dot_product_scores import SCORES_MISTAKES
from attncourse.practice.exercises.softmax import sums
from attncourse.practice.mistakes.loops import cut_short
from attncourse.practice.mistakes.normalization import in_place_of, stable
from attncourse.practice.mistakes.online import not_rescaled
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.scale import after_mistakes, root_d_k, scale_mistakes
from attncourse.practice.mistakes.transposed import attention_transposed
from attnlib.attention import scaled_dot_product_attention

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


SKIPPED = mistake(
    "softmax-missing",
    "using scores as weights",
    "the step between the scores and the values",
    weights=lambda s: s.scaled,
)

NAMES = "which of the three arrays stands where: scores from two, output from the third"
VALUES = (
    mistake(
        "value-key-swapped",
        "a weighted sum of keys",
        NAMES,
        output=lambda s: s.weights @ s.key,
    ),
    mistake(
        "value-key-swapped",
        "value and key in each other's place",
        NAMES,
        scores=lambda s: s.query @ s.value.mT,
        output=lambda s: s.weights @ s.key,
    ),
    mistake(
        "value-key-swapped",
        "scoring the queries against the values",
        NAMES,
        scores=lambda s: s.query @ s.value.mT,
    ),
    mistake(
        "query-as-value",
        "a weighted sum of queries",
        NAMES,
        output=lambda s: s.weights @ s.query,
    ),
    attention_transposed(output=lambda s: s.weights.mT @ s.value),
)
WINNER = mistake(
    "winner-takes-all",
    "giving all the weight to the largest score",
    "what is left for the others: softmax gives every key a share",
    weights=lambda s: (s.scaled == s.scaled.max(axis=-1, keepdims=True)) * 1.0,
)
RETURNED = mistake(
    "weights-returned",
    "stopping at the weights",
    "the last step: the output is made of the values",
    output=lambda s: s.weights,
)
TRANSPOSE = mistake(
    "all-axes-transposed",
    "a transpose that turns all axes round",
    "how the key is transposed: the axes of a batch stay where they are",
    scores=lambda s: s.query @ s.key.T,
)
LOST_KEYS = (
    *(
        mistake(
            "last-keys-lost",
            f"leaving out the {which} key",
            "the loop over the keys: where it begins and ends",
            output=lambda s, part=part: (
                stable(s.scaled[..., part]) @ s.value[..., part, :]
            ),
        )
        for which, part in (("last", slice(None, -1)), ("first", slice(1, None)))
    ),
    *cut_short("output", lambda s: s.weights, lambda s: s.value, "key"),
)
MASKED_AWAY = (
    *(
        mistake(
            "mask-not-asked",
            cause,
            "what is asked: every query may see every key",
            scaled=step,
        )
        for cause, step in (
            (
                "a causal mask",
                lambda s: np.where(
                    np.tri(*s.scores.shape[-2:], dtype=bool),
                    s.scores / root_d_k(s),
                    -np.inf,
                ),
            ),
            (
                "scores of 0 above the diagonal",
                lambda s: np.tril(s.scores / root_d_k(s)),
            ),
        )
    ),
    mistake(
        "cosines-instead",
        "dividing by the lengths of queries and keys",
        "what is asked: dot products, in which length counts, divided by √d_k",
        scaled=lambda s: _unit(s.query) @ _unit(s.key).mT,
    ),
    mistake(
        "cosines-instead",
        "dividing by the lengths of queries and keys, and by √d_k",
        "what is asked: dot products, in which length counts, divided by √d_k",
        scaled=lambda s: _unit(s.query) @ _unit(s.key).mT / root_d_k(s),
    ),
    *(
        mistake(
            "scaled-by-n",
            f"dividing by the {how} of axis 1 of query",
            "what the scores are divided by, and when",
            scaled=lambda s, power=power: s.scores / s.query.shape[1] ** power,
        )
        for how, power in (("root of the length", 0.5), ("length", 1.0))
    ),
    mistake(
        "keepdims-forgotten",
        "sums that have lost their axis, divided out after the weighted sum",
        "the shape of what you divide by: (n, 1) divides rows, (n,) columns",
        output=lambda s: _divided_late(s),
    ),
)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def _divided_late(s) -> np.ndarray:
    powers = np.exp(s.scaled - s.scaled.max(axis=-1, keepdims=True))
    return powers @ s.value / powers.sum(axis=-1)


CLIPPED = tuple(
    mistake(
        "scores-clipped",
        f"cutting scores off at {limit}",
        "a limit that you put on the scores: only distances to the largest may count",
        weights=lambda s, limit=limit: stable(np.clip(s.scaled, -limit, limit)),
    )
    for limit in (1, 10, 50, 100, 500, 700, 709)
)
MISTAKES = (
    *scale_mistakes(),
    *SCORES_MISTAKES,
    *VALUES,
    *after_mistakes(),
    SKIPPED,
    WINNER,
    RETURNED,
    TRANSPOSE,
    *LOST_KEYS,
    *CLIPPED,
    *MASKED_AWAY,
    *in_place_of("weights", "scaled"),
)


def shares(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Where the values are the identity, the output is the weights: judge those."""
    if not set(named) - {"overflow"}:
        seen = [j for j in judged if j.case.label == SHARES]
        yield from sums(exercise, seen, named, are_all=False)


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
