"""Wrong and right answers for look_up, in several styles."""

import numpy as np
import pytest

from attncourse.practice import EXERCISES
from attnlib import Embedding
from tests.attncourse.practice.judging import assert_found, assert_passes

NAME = "look_up"


def picked(pick):
    """Token by token: pick(table, id, place)."""

    def answer(token_ids, table):
        if token_ids.ndim > 1:
            return [answer(sentence, table) for sentence in token_ids]
        return [list(pick(table, i, place)) for place, i in enumerate(token_ids)]

    return answer


def by_one_hot(token_ids, table):
    return np.eye(len(table))[token_ids] @ table


def by_einsum(token_ids, table):
    one_hot = token_ids[..., None] == np.arange(table.shape[0])
    return np.einsum("...v,vd->...d", one_hot.astype(table.dtype), table)


def in_float16(token_ids, table):
    return table.astype("f2")[token_ids]


def filled_in(token_ids, table):
    rows = np.zeros((token_ids.size, table.shape[1]), dtype=np.longdouble)
    for place, i in enumerate(token_ids.ravel()):
        rows[place] += table[i]
    return rows.reshape(*token_ids.shape, -1)


@pytest.mark.parametrize(
    "answer",
    [
        lambda token_ids, table: Embedding(table)(token_ids),
        lambda token_ids, table: table[token_ids],
        lambda token_ids, table: table.take(token_ids, axis=0),
        picked(lambda table, i, place: table[i]),
        by_one_hot,
        by_einsum,
        in_float16,
        filled_in,
    ],
)
def test_right(answer):
    assert_passes(NAME, answer)


def one_hot_from_one(token_ids, table):
    one_hot = token_ids[..., None] == np.arange(1, len(table) + 1)
    return one_hot @ table


def padded_table(token_ids, table):
    """Row 0 is kept for padding, and ids are still those of the old table."""
    return np.vstack([np.zeros(table.shape[1]), table])[token_ids]


def columns_by_loops(token_ids, table):
    if token_ids.ndim > 1:
        return [columns_by_loops(sentence, table) for sentence in token_ids]
    return [[row[i] for row in table] for i in token_ids]


def columns_by_one_hot(token_ids, table):
    return np.eye(table.shape[1])[token_ids] @ table.T


WRONG = {
    "starts-at-one": [
        lambda token_ids, table: table[token_ids - 1],
        lambda token_ids, table: table[1:][token_ids],
        picked(lambda table, i, place: table[i - 1]),
        picked(lambda table, i, place: table[i + 1]),
        one_hot_from_one,
        padded_table,
    ],
    "column-instead-of-row": [
        lambda token_ids, table: table[:, token_ids],
        lambda token_ids, table: table[..., token_ids],
        lambda token_ids, table: np.take(table, token_ids, axis=1),
        columns_by_loops,
        columns_by_one_hot,
    ],
    "position-instead-of-id": [
        picked(lambda table, i, place: table[place]),
        lambda ids, table: table[np.cumsum(np.ones_like(ids), axis=-1) - 1],
    ],
    "numbers-instead-of-rows": [
        lambda token_ids, table: np.take(table, token_ids),
        lambda token_ids, table: table.ravel()[token_ids],
        np.vectorize(lambda i, table: table.flat[i], excluded={1}),
    ],
    "one-hot-instead-of-row": [
        lambda token_ids, table: np.eye(len(table))[token_ids],
        picked(lambda table, i, place: [float(i == v) for v in range(len(table))]),
    ],
    "ids-multiplied": [
        lambda token_ids, table: token_ids @ table,
        lambda ids, table: (
            sum(ids[..., i, None] * row for i, row in enumerate(table))
            if ids.shape[-1] == len(table)
            else None
        ),
    ],
    "rows-added-up": [
        lambda token_ids, table: table[token_ids].sum(axis=-2),
        lambda token_ids, table: np.einsum("...nd->...d", table[token_ids]),
        lambda token_ids, table: np.mean(table[token_ids], axis=token_ids.ndim - 1),
    ],
    "repeats-dropped": [
        lambda token_ids, table: table[sorted(set(token_ids.ravel().tolist()))],
        lambda token_ids, table: [table[i] for i in np.unique(token_ids)],
    ],
}
CASES = [(code, answer) for code, answers in WRONG.items() for answer in answers]


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_wrong(code, answer):
    assert_found(NAME, code, answer)


def test_every_sentence_repeats_a_token_and_has_the_first_id():
    for seed in range(9):
        for case in EXERCISES[NAME].draw(np.random.default_rng(seed)):
            ids, table = case.inputs.values()
            assert 0 <= ids.min() == 0 <= ids.max() < len(table)
            assert len(np.unique(ids)) < ids.size


def test_one_sentence_only():
    def answer(token_ids, table):
        sentence = token_ids if token_ids.ndim == 1 else token_ids[-1]
        return [table[i] for i in sentence]

    assert_found(NAME, "no-batch", answer)
