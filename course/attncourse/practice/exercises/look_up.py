"""look_up: each id is replaced by its row of the table."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, normal
from attncourse.practice.engine.exercise import Case, Exercise
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib.embeddings import Embedding

MOST = 11  # more rows than any other size


def draw(rng: np.random.Generator) -> list[Case]:
    """Ids of one sentence and of several, with tables of many shapes."""
    n, d, batch = (int(p) for p in rng.permutation([3, 5, 7]))
    shapes = {
        "a sentence": ((n,), (MOST, d)),
        "a wide table": ((n,), (d, MOST)),
        "a square table": ((n,), (d, d)),
        "as many tokens as rows": ((d,), (d, n)),
        "a batch of sentences": ((batch, n), (MOST, d)),
        "a batch of squares": (CUBE[1:], CUBE[1:]),
    }
    cases = []
    for label, (shape, table) in shapes.items():
        # One sentence without the last id: what takes the next row computes there.
        rows = table[0] - (label == "a sentence")
        ids = token_ids(rng, shape, rows)
        cases.append(case(label, axes=1, token_ids=ids, table=normal(rng, *table)))
    return cases


def token_ids(rng: np.random.Generator, shape: tuple, rows: int) -> np.ndarray:
    """Draw ids; the first and the last are among them, and one comes up twice."""
    ids = rng.integers(0, rows, shape, np.intp)  # what np.take wants, on any machine
    ids.flat[:3] = rng.permutation([0, rows - 1, rows - 1])
    return ids


def _one_hot(s) -> np.ndarray:
    return (s.token_ids[..., None] == np.arange(len(s.table))) * 1.0


def _first_row_left_out(s) -> np.ndarray:
    return np.concatenate([0 * s.table[:1], s.table])[s.token_ids]


def _by_place(s) -> np.ndarray:
    places = np.arange(s.token_ids.shape[-1])
    return s.table[np.broadcast_to(places, s.token_ids.shape)]


FIRST = "the id of the first row of the table: what does counting start from?"
ROWS = "which axis of the table counts the tokens, and which the numbers of one"
EACH = "what comes back: a row for each token of the sentence"

WAYS = {
    "starts-at-one": (
        FIRST,
        ("ids that are counted from 1", lambda s: s.table[s.token_ids - 1]),
        ("ids that are counted from 1", _first_row_left_out),
        (
            "taking the row after the one that is meant",
            lambda s: s.table[1:][s.token_ids],
        ),
    ),
    "column-instead-of-row": (
        ROWS,
        ("taking columns of the table", lambda s: s.table[:, s.token_ids]),
        ("taking columns of the table", lambda s: s.table.T[s.token_ids]),
    ),
    "position-instead-of-id": (
        "what picks the row: a token's id, wherever the token stands",
        ("taking row 0 for the first token, row 1 for the second", _by_place),
    ),
    "numbers-instead-of-rows": (
        "what one id stands for: a whole row of the table",
        ("taking one number for each id", lambda s: np.take(s.table, s.token_ids)),
    ),
    "one-hot-instead-of-row": (
        "what is still to be done with a one-hot row",
        ("stopping at the one-hot rows", _one_hot),
    ),
    "ids-multiplied": (
        "what an id is: a name, not an amount",
        ("multiplying the ids themselves", lambda s: s.token_ids @ s.table),
    ),
    "rows-added-up": (
        EACH,
        ("adding up the rows", lambda s: s.table[s.token_ids].sum(axis=-2)),
        ("the mean of the rows", lambda s: s.table[s.token_ids].mean(axis=-2)),
    ),
    "one-token-only": (
        EACH,
        (
            "taking the row of the first token alone",
            lambda s: s.table[s.token_ids[..., 0]],
        ),
        (
            "taking the row of the last token alone",
            lambda s: s.table[s.token_ids[..., -1]],
        ),
    ),
    "first-text-only": (
        "what comes back: a row for each token of every sentence",
        (
            "taking the row of the very first token alone",
            lambda s: s.table[s.token_ids.flat[0]],
        ),
    ),
    "columns-lost": (
        "what one id stands for: a whole row of the table",
        (
            "leaving out the last number of each row",
            lambda s: s.table[s.token_ids, :-1],
        ),
        (
            "leaving out the first number of each row",
            lambda s: s.table[s.token_ids, 1:],
        ),
    ),
    "ids-sorted": (
        "the order: the rows come as the tokens stand in the sentence",
        ("sorting the ids", lambda s: s.table[np.sort(s.token_ids, axis=-1)]),
    ),
    "repeats-dropped": (
        EACH,
        ("using each id once", lambda s: s.table[np.unique(s.token_ids)]),
    ),
}
MISTAKES = mistakes_in("rows", WAYS)

EXERCISES = (
    Exercise(
        "look_up",
        lambda token_ids, table: Embedding(table)(token_ids),
        draw,
        {"rows": lambda s: s.table[s.token_ids]},
        MISTAKES,
        returns=("rows",),
    ),
)
