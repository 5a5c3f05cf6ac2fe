"""attention: scores, scale, softmax and the weighted sum, all in one."""

from collections.abc import Iterator

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attncourse.practice.exercises.softmax import sums
from attncourse.practice.mistakes.blocks import not_rescaled
from attncourse.practice.mistakes.normalization import stable
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.scale import root_d_k
from attnlib.attention import scaled_dot_product_attention
from named_mistakes.cases import CUBE, case, large, normal, sizes
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise, Steps

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
    cases = drawn(rng, shapes, "query", "key", "value")
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


def shares(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Where the values are the identity, the output is the weights: judge those."""
    if not set(named) - {"overflow"}:
        seen = [j for j in judged if j.case.label == SHARES]
        yield from sums(exercise, seen, named, are_all=False)


TABLE = """
from attncourse.practice.exercises import dot_product_scores
from attncourse.practice.mistakes import looks, scale
from attncourse.practice.mistakes.looks import unit
from attncourse.practice.mistakes.normalization import in_place_of
from attncourse.practice.mistakes.scale import after_mistakes

NAMES = which of the three arrays stands where: scores from two, output from the third

include scale.MISTAKES
include only(dot_product_scores.EXERCISE.mistakes, "reshaped-instead-of-transposed",
        "key-not-transposed", "wrong-one-transposed", "query-key-swapped")

value-key-swapped | {NAMES}
    a weighted sum of keys = output: weights @ key
    value and key in each other's place =
        scores: query @ value.mT, output: weights @ key
    scoring the queries against the values = scores: query @ value.mT

output | query-as-value | {NAMES}
    a weighted sum of queries = weights @ query

output | weights-transposed | {looks.QUERIES}
    weights with a row for each key = weights.mT @ value

include after_mistakes()

weights | softmax-missing | the step between the scores and the values
    using scores as weights = scaled

weights | winner-takes-all | what is left for the others: softmax gives every key a
        share
    giving all the weight to the largest score =
        (scaled == scaled.max(axis=-1, keepdims=True)) * 1.0

output | weights-returned | the last step: the output is made of the values
    stopping at the weights = weights

scores | all-axes-transposed | how the key is transposed: the axes of a batch stay where
        they are
    a transpose that reverses all axes = query @ key.T

output | last-keys-lost | the loop over the keys: where it begins and ends
    leaving out the last key = stable(scaled[..., :-1]) @ value[..., :-1, :]
    leaving out the first key = stable(scaled[..., 1:]) @ value[..., 1:, :]

include looks.sum_cut_short("output", "weights", "value", "key")

weights | scores-cut | what a score below 0 means: less weight, not the same for all
    cutting negative scores off at 0 = stable(np.maximum(scaled, 0))

weights | scores-clipped | a limit that you put on the scores: only distances to the
        largest may count
    for n in 1, 10, 50, 100, 500, 700, 709:
        cutting scores off at {n} = stable(np.clip(scaled, -{n}, {n}))

scaled | mask-not-asked | what is asked: every query may see every key
    a causal mask =
        np.where(np.tri(*scores.shape[-2:], dtype=bool), scores / root_d_k(s), -np.inf)
    scores of 0 above the diagonal = np.tril(scores / root_d_k(s))

scaled | cosines-instead | what is asked: dot products, in which length counts, divided
        by √d_k
    dividing by the lengths of queries and keys = unit(query) @ unit(key).mT
    dividing by the lengths of queries and keys, and by √d_k =
        unit(query) @ unit(key).mT / root_d_k(s)

scaled | scaled-by-n | {scale.DIVISOR}
    dividing by the root of the length of axis 1 of query =
        scores / query.shape[1] ** 0.5
    dividing by the length of axis 1 of query = scores / query.shape[1] ** 1.0

output | keepdims-forgotten | the shape of what you divide by: (n, 1) divides rows, (n,)
        columns
    sums that have lost their axis, divided out after the weighted sum =
        np.exp(scaled - scaled.max(axis=-1, keepdims=True))
        @ value
        / np.exp(scaled - scaled.max(axis=-1, keepdims=True)).sum(axis=-1)

include in_place_of("weights", "scaled")
"""

EXERCISE = exercise(
    globals(),
    scaled_dot_product_attention,
    ATTENTION,
    signs=(overflow, not_rescaled, shares),
)
