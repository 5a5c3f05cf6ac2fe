"""score_matrix: the one matrix between two words that gives their score."""

from __future__ import annotations

import math

import numpy as np

from attncourse.practice.engine.cases import case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise
from attncourse.practice.mistakes.loops import cut_short
from attncourse.practice.mistakes.tables import mistakes_in
from attncourse.practice.mistakes.transposed import reshaped
from attnlib.scores import dot_product_scores


def draw(rng: np.random.Generator) -> list[Case]:
    """Pairs of weight matrices: tall, wide and square."""
    few, more = sorted(sizes(rng, 2))
    shapes = {
        "d_k < d_model": (more, few),
        "d_k > d_model": (few, more),
        "square weights": (few, few),
        "larger square weights": (more, more),
    }
    return [
        case(label, w_query=normal(rng, *shape), w_key=normal(rng, *shape))
        for label, shape in shapes.items()
    ]


SHAPES = "the shapes: which of the two sizes is added up over, and which one remains"
SIDES = "which word stands on which side: in x @ M @ x.T the first x asks"
PLAIN = "what is asked: the scores as they are, with nothing else done to them"

WAYS = {
    "key-not-transposed": (
        SHAPES,
        ("multiplying w_query by w_key as they are", lambda s: s.w_query @ s.w_key),
        ("multiplying w_key by w_query as they are", lambda s: s.w_key @ s.w_query),
    ),
    "query-key-swapped": (
        SIDES,
        ("the weights in each other's place", lambda s: s.w_key @ s.w_query.T),
    ),
    "wrong-axis": (
        SHAPES,
        ("adding up over d_model", lambda s: s.w_query.T @ s.w_key),
        ("adding up over d_model", lambda s: s.w_key.T @ s.w_query),
    ),
    "both-transposed": (
        SHAPES,
        ("transposing both matrices", lambda s: s.w_query.T @ s.w_key.T),
    ),
    "multiplied-elementwise": (
        "the operator: an entry of M adds up many products",
        ("multiplying number by number", lambda s: s.w_query * s.w_key),
    ),
    "added-instead": (
        "how a score is made: query and key are multiplied",
        ("adding the two matrices", lambda s: s.w_query + s.w_key),
    ),
    "scaled-too-soon": (
        PLAIN,
        (
            "dividing by √d_k",
            lambda s: s.w_query @ s.w_key.T / math.sqrt(s.w_key.shape[-1]),
        ),
    ),
    "key-ignored": (
        "the two matrices: one makes the queries, the other the keys",
        ("w_query on both sides", lambda s: s.w_query @ s.w_query.T),
        ("w_key on both sides", lambda s: s.w_key @ s.w_key.T),
    ),
    "inverse-used": (
        "what turns rows into columns: a transpose, not an inverse",
        (
            "an inverse where a transpose was expected",
            lambda s: s.w_query @ np.linalg.pinv(s.w_key),
        ),
    ),
    "summed-first": (
        "the order: numbers are multiplied in pairs, and then added up",
        (
            "multiplying sums of rows",
            lambda s: np.outer(s.w_query.sum(axis=1), s.w_key.sum(axis=1)),
        ),
    ),
    "made-symmetric": (
        "whether word 1 asking word 2 has to score the same as word 2 asking word 1",
        ("the mean of a matrix and its mirror image", lambda s: _mirrored(s)),
        ("adding up a matrix and its mirror image", lambda s: 2 * _mirrored(s)),
        ("copying one half of a matrix to the other", lambda s: _copied(s, np.tril)),
        ("copying one half of a matrix to the other", lambda s: _copied(s, np.triu)),
    ),
}


def _mirrored(s) -> np.ndarray:
    matrix = s.w_query @ s.w_key.T
    return (matrix + matrix.T) / 2


def _copied(s, half) -> np.ndarray:
    kept = half(s.w_query @ s.w_key.T)
    return kept + kept.T - np.diag(np.diag(kept))


MISTAKES = (
    reshaped(matrix=lambda s: s.w_query @ s.w_key.reshape(s.w_key.shape[::-1])),
    *mistakes_in("matrix", WAYS),
    *cut_short(
        "matrix", lambda s: s.w_query, lambda s: s.w_key.T, "of the d_k columns"
    ),
)

EXERCISES = (
    Exercise(
        "score_matrix",
        dot_product_scores,
        draw,
        {"matrix": lambda s: s.w_query @ s.w_key.T},
        MISTAKES,
        returns=("matrix",),
    ),
)
