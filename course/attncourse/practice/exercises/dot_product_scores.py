"""dot_product_scores: every query against every key."""

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attnlib.scores import dot_product_scores
from named_mistakes.cases import CUBE, sizes
from named_mistakes.exercise import Case


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw queries and keys, with sizes that differ and sizes that agree."""
    n_q, n_k, d_k, batch = sizes(rng, 4)
    shapes = {
        "n_queries ≠ n_keys": ((n_q, d_k), (n_k, d_k)),
        "n_keys = d_k": ((n_q, d_k), (d_k, d_k)),
        "n_queries = n_keys": ((n_q, d_k), (n_q, d_k)),
        "all sizes equal": ((n_q, n_q), (n_q, n_q)),
        "a batch": ((batch, n_q, d_k), (batch, n_k, d_k)),
        "a batch of squares": (CUBE, CUBE),
        "two axes of batches": ((2, batch, n_q, d_k), (2, batch, n_k, d_k)),
    }
    return drawn(rng, shapes, "query", "key")


SCORES = {"scores": lambda s: s.query @ s.key.mT}


def _distances(s) -> np.ndarray:
    apart = s.query[..., :, None, :] - s.key[..., None, :, :]
    return np.linalg.norm(apart, axis=-1)


TABLE = """
import math
from attncourse.practice.mistakes import looks
from attncourse.practice.mistakes.looks import unit
from attncourse.practice.mistakes.normalization import stable

ROWS = which rows are the queries: there is a row of scores for each of them
HOW_MANY = how many scores there are: one for every query and every key

scores | reshaped-instead-of-transposed | where a reshape puts the numbers: it fills the
        new shape in reading order, and no row becomes a column
    a reshape where a transpose was meant =
        query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])

scores | key-not-transposed | the shapes of the two: a score needs a row of each
    multiplying query by key as they are = query @ key

scores | wrong-one-transposed | which of the two is transposed: the key, so that a score
        has a row of each
    transposing the query in place of the key = query.mT @ key
    transposing the key, but multiplying it by the query = key.mT @ query

scores | query-key-swapped | {ROWS}
    scoring each key against the queries = key @ query.mT

scores | all-axes-transposed | how the key is transposed: the axes of a batch stay where
        they are
    a transpose that reverses all axes = query @ key.T
    a transpose that reverses all axes = np.dot(query, key.T)

scores | multiplied-elementwise | the operator: a dot product adds up many products
    multiplying number by number = query * key

scores | multiplied-elementwise | {HOW_MANY}
    scoring each query against the key of the same row only =
        np.sum(query * key, axis=-1)

scores | scaled-too-soon | what is asked: plain dot products; the scale is the next step
    scores that are scaled already = query @ key.mT / math.sqrt(key.shape[-1])

scores | cosines-instead | what is asked: plain dot products, in which length counts
    dividing by the lengths of the vectors = unit(query) @ unit(key).mT

scores | distances-instead | what is asked: a dot product multiplies two vectors, number
        by number
    squared distances, with a minus = -(_distances(s) ** 2)
    squared distances = _distances(s) ** 2
    distances = _distances(s)

scores | triangle-only | {HOW_MANY}
    scoring each query against the keys up to its own place = np.tril(query @ key.mT)

include looks.sum_cut_short("scores", "query", "key.mT", "number of a vector")

scores | softmax-too-soon | what is asked: softmax is a step of its own, and not this
        one
    a softmax on top of it = stable(query @ key.mT)
"""

EXERCISE = exercise(globals(), dot_product_scores, SCORES, returns=("scores",))
