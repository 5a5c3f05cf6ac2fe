"""Right and wrong answers for causal_mask, in several styles."""

import numpy as np

from attnlib import causal_mask
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def causal_by_loops(n):
    return [[j <= i for j in range(n)] for i in range(n)]


@right
def causal_by_filling(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        mask[i, : i + 1] = True
    return mask


right(
    causal_mask,
    lambda n: np.tril(np.ones((n, n), dtype=bool)),
    lambda n: ~np.triu(np.ones((n, n), dtype=bool), k=1),
    lambda n: np.arange(n)[:, None] >= np.arange(n),
    lambda n: np.tri(n) == 1,
)
wrong("looks-ahead")(
    lambda n: np.tril(np.ones((n, n), dtype=bool), k=1),
    lambda n: [[j <= i + 1 for j in range(n)] for i in range(n)],
)
wrong("nothing-hidden")(lambda n: np.ones((n, n), dtype=bool))
wrong("everything-hidden")(lambda n: np.zeros((n, n), dtype=bool))
wrong("rows-columns-swapped")(
    lambda n: np.triu(np.ones((n, n), dtype=bool)),
    lambda n: np.arange(n)[:, None] <= np.arange(n),
)
wrong("rows-all-alike")(lambda n: [[j < n - 1 for j in range(n)]] * n)
wrong("hides-itself")(
    lambda n: np.tril(np.ones((n, n), dtype=bool), k=-1),
    lambda n: [[j < i for j in range(n)] for i in range(n)],
    lambda n: np.arange(n) < np.arange(n)[:, None],
)
wrong("inverted")(
    lambda n: np.triu(np.ones((n, n), dtype=bool), k=1),
    lambda n: [[j > i for j in range(n)] for i in range(n)],
    lambda n: ~np.tri(n, dtype=bool),
)
wrong("hides-the-past")(lambda n: np.eye(n, dtype=bool))
wrong("wrong-dtype")(
    lambda n: np.tril(np.ones((n, n))),
    lambda n: np.tri(n, dtype=int).tolist(),
    lambda n: np.where(np.tri(n), 0.0, -np.inf),
)
wrong("wrong-shape")(lambda n: np.tri(n, dtype=bool)[None], lambda n: np.ones(n) > 0)


@wrong("inverted", "wrong-dtype")
def wrong_in_dtype_and_in_sense(n):
    return np.triu(np.ones((n, n)), k=1)


@wrong("looks-ahead", "wrong-dtype")
def additive_and_ahead(n):
    return np.where(np.tri(n, k=1), 0.0, -np.inf)


wrong("rows-reversed")(
    lambda n: np.tri(n, dtype=bool)[::-1], lambda n: np.fliplr(np.tri(n, dtype=bool))
)
wrong("key-hidden")(lambda n: [[1 <= j <= i for j in range(n)] for i in range(n)])
wrong("row-empty")(lambda n: np.tri(n, dtype=bool) & (np.arange(n) < n - 1)[:, None])


@wrong("rows-shared")
def one_row_repeated(n):
    mask = [[False] * n] * n
    for i in range(n):
        for j in range(i + 1):
            mask[i][j] = True
    return mask
