"""Right and wrong answers for look_up, in several styles."""

import numpy as np

from attnlib import Embedding
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


def picked(pick):
    """Token by token: pick(table, id, place)."""

    def answer(token_ids, table):
        if token_ids.ndim > 1:
            return [answer(sentence, table) for sentence in token_ids]
        return [list(pick(table, i, place)) for place, i in enumerate(token_ids)]

    return answer


@right
def by_one_hot(token_ids, table):
    return np.eye(len(table))[token_ids] @ table


@right
def by_einsum(token_ids, table):
    one_hot = token_ids[..., None] == np.arange(table.shape[0])
    return np.einsum("...v,vd->...d", one_hot.astype(table.dtype), table)


@right
def in_float16(token_ids, table):
    return table.astype("f2")[token_ids]


@right
def filled_in(token_ids, table):
    rows = np.zeros((token_ids.size, table.shape[1]), dtype=np.longdouble)
    for place, i in enumerate(token_ids.ravel()):
        rows[place] += table[i]
    return rows.reshape(*token_ids.shape, -1)


@wrong("starts-at-one")
def one_hot_from_one(token_ids, table):
    one_hot = token_ids[..., None] == np.arange(1, len(table) + 1)
    return one_hot @ table


@wrong("starts-at-one")
def padded_table(token_ids, table):
    """Row 0 is kept for padding, and ids are still those of the old table."""
    return np.vstack([np.zeros(table.shape[1]), table])[token_ids]


@wrong("column-instead-of-row")
def columns_by_loops(token_ids, table):
    if token_ids.ndim > 1:
        return [columns_by_loops(sentence, table) for sentence in token_ids]
    return [[row[i] for row in table] for i in token_ids]


@wrong("column-instead-of-row")
def columns_by_one_hot(token_ids, table):
    return np.eye(table.shape[1])[token_ids] @ table.T


right(
    lambda token_ids, table: Embedding(table)(token_ids),
    lambda token_ids, table: table[token_ids],
    lambda token_ids, table: table.take(token_ids, axis=0),
    picked(lambda table, i, place: table[i]),
)
wrong("starts-at-one")(
    lambda token_ids, table: table[token_ids - 1],
    lambda token_ids, table: table[1:][token_ids],
    picked(lambda table, i, place: table[i - 1]),
    picked(lambda table, i, place: table[i + 1]),
)
wrong("column-instead-of-row")(
    lambda token_ids, table: table[:, token_ids],
    lambda token_ids, table: table[..., token_ids],
    lambda token_ids, table: np.take(table, token_ids, axis=1),
)
wrong("position-instead-of-id")(
    picked(lambda table, i, place: table[place]),
    lambda ids, table: table[np.cumsum(np.ones_like(ids), axis=-1) - 1],
)
wrong("numbers-instead-of-rows")(
    lambda token_ids, table: np.take(table, token_ids),
    lambda token_ids, table: table.ravel()[token_ids],
    np.vectorize(lambda i, table: table.flat[i], excluded={1}),
)
wrong("one-hot-instead-of-row")(
    lambda token_ids, table: np.eye(len(table))[token_ids],
    picked(lambda table, i, place: [float(i == v) for v in range(len(table))]),
)
wrong("ids-multiplied")(
    lambda token_ids, table: token_ids @ table,
    lambda ids, table: (
        sum(ids[..., i, None] * row for i, row in enumerate(table))
        if ids.shape[-1] == len(table)
        else None
    ),
)
wrong("rows-added-up")(
    lambda token_ids, table: table[token_ids].sum(axis=-2),
    lambda token_ids, table: np.einsum("...nd->...d", table[token_ids]),
    lambda token_ids, table: np.mean(table[token_ids], axis=token_ids.ndim - 1),
)
wrong("repeats-dropped")(
    lambda token_ids, table: table[sorted(set(token_ids.ravel().tolist()))],
    lambda token_ids, table: [table[i] for i in np.unique(token_ids)],
)


@wrong("no-batch")
def one_sentence_only(token_ids, table):
    sentence = token_ids if token_ids.ndim == 1 else token_ids[-1]
    return [table[i] for i in sentence]


wrong("column-instead-of-row")(lambda token_ids, table: table[:, token_ids].T)


@wrong("row-left-out")
def padding_is_zero(token_ids, table):
    rows = table[token_ids].copy()
    rows[token_ids == 0] = 0
    return rows


wrong("row-left-out")(lambda ids, table: table[ids.clip(0, table.shape[0] - 2)])


@wrong("rows-added-up")
def mean_of_all_sentences(token_ids, table):
    vectors = np.eye(table.shape[0])[token_ids] @ table
    return vectors.reshape(-1, table.shape[1]).mean(axis=0)


wrong("rows-added-up")(
    lambda ids, table: table[ids.ravel()].sum(axis=0),
)
wrong("rows-columns-swapped")(lambda ids, table: table.T[:, np.asarray(ids)])


@wrong("rows-columns-swapped")
def reshaped_and_turned(token_ids, table):
    rows = table[token_ids.ravel()].reshape(table.shape[1], -1).T
    return rows.reshape(*token_ids.shape, table.shape[1])


@wrong("ids-numbered-anew")
def by_rank(token_ids, table):
    _, ranks = np.unique(token_ids, return_inverse=True)
    return table[ranks.reshape(token_ids.shape)]
