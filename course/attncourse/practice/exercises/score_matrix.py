"""score_matrix: the one matrix between two words that gives their score."""

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attnlib.scores import dot_product_scores
from named_mistakes.cases import sizes
from named_mistakes.exercise import Case


def draw(rng: np.random.Generator) -> list[Case]:
    """Pairs of weight matrices: tall, wide and square."""
    few, more = sorted(sizes(rng, 2))
    shapes = {
        "d_k < d_model": (more, few),
        "d_k > d_model": (few, more),
        "square weights": (few, few),
        "larger square weights": (more, more),
    }
    return drawn(rng, shapes, "w_query", "w_key")


def _copied(s, half) -> np.ndarray:
    kept = half(s.w_query @ s.w_key.T)
    return kept + kept.T - np.diag(np.diag(kept))


RECIPE = {"matrix": lambda s: s.w_query @ s.w_key.T}
TABLE = """
import math
from attncourse.practice.mistakes import looks

SHAPES = the shapes: which of the two sizes is added up over, and which one remains
SIDES = which word stands on which side: in x @ M @ x.T the first x asks
PLAIN = what is asked: the scores as they are, with nothing else done to them

matrix | reshaped-instead-of-transposed | where a reshape puts the numbers: it fills the
        new shape in reading order, and no row becomes a column
    a reshape where a transpose was meant = w_query @ w_key.reshape(w_key.shape[::-1])

matrix | key-not-transposed | {SHAPES}
    multiplying w_query by w_key as they are = w_query @ w_key
    multiplying w_key by w_query as they are = w_key @ w_query

matrix | query-key-swapped | {SIDES}
    the weights in each other's place = w_key @ w_query.T

matrix | wrong-axis | {SHAPES}
    adding up over d_model = w_query.T @ w_key
    adding up over d_model = w_key.T @ w_query

matrix | both-transposed | {SHAPES}
    transposing both matrices = w_query.T @ w_key.T

matrix | multiplied-elementwise | the operator: an entry of M adds up many products
    multiplying number by number = w_query * w_key

matrix | added-instead | how a score is made: query and key are multiplied
    adding the two matrices = w_query + w_key
    adding the two matrices first = (w_query + w_key) @ (w_query + w_key).T

matrix | scaled-too-soon | {PLAIN}
    dividing by √d_k = w_query @ w_key.T / math.sqrt(w_key.shape[-1])

matrix | key-ignored | the two matrices: one makes the queries, the other the keys
    for what in w_query, w_key: {what} on both sides = {what} @ {what}.T
    adding up what each of them gives with itself = w_query @ w_query.T + w_key @
        w_key.T

matrix | inverse-used | what turns rows into columns: a transpose, not an inverse
    an inverse where a transpose was expected = w_query @ np.linalg.pinv(w_key)

matrix | summed-first | the order: numbers are multiplied in pairs, and then added up
    multiplying sums of rows = np.outer(w_query.sum(axis=1), w_key.sum(axis=1))

matrix | made-symmetric | whether word 1 asking word 2 has to score the same as word 2
        asking word 1
    the mean of a matrix and its mirror image =
        (w_query @ w_key.T + w_key @ w_query.T) / 2
    adding up a matrix and its mirror image = w_query @ w_key.T + w_key @ w_query.T
    for half in np.tril, np.triu:
        copying one half of a matrix to the other = _copied(s, {half})

include looks.sum_cut_short("matrix", "w_query", "w_key.T", "of the d_k columns")
"""

EXERCISE = exercise(globals(), dot_product_scores, RECIPE, returns=("matrix",))
