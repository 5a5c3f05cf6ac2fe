"""Right and wrong answers for window_mask, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def window(n_queries, n_keys, left, offset):
    rows = [[0] * n_keys for _ in range(n_queries)]
    for i in range(n_queries):
        for j in range(n_keys):
            rows[i][j] = i + offset - left <= j <= i + offset
    return rows


wrong("window-off-by-one")(
    lambda n, m, left, offset: window(n, m, max(left - 1, 0), offset)
)
wrong("offset-forgotten")(lambda n, m, left, _: window(n, m, left, 0))


@wrong("rows-columns-swapped")
def a_window_with_its_rows_and_columns_exchanged(n_queries, n_keys, left, offset):
    row, column = np.arange(n_keys)[:, None] + offset, np.arange(n_queries)
    return ((column <= row) & (column >= row - left)).T


@wrong("offset-forgotten")
def one_end(n_queries, n_keys, left, offset):
    i, j = np.arange(n_queries)[:, None], np.arange(n_keys)
    return (j <= i + offset) & (j >= i - left)


@wrong("comparison-precedence")
def unbracketed(n_queries, n_keys, left, offset):
    p, j = offset + np.arange(n_queries)[:, None], np.arange(n_keys)
    return (j <= p) & j >= p - left
