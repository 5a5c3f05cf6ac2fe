"""look_up: each id is replaced by its row of the table."""

import numpy as np

from attncourse.practice.exercise import exercise
from attnlib.embeddings import Embedding
from named_mistakes.cases import CUBE, case, normal
from named_mistakes.exercise import Case

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


RECIPE = {"rows": lambda s: s.table[s.token_ids]}
TABLE = """
FIRST = the id of the first row of the table: what does counting start from?
ROWS = which axis of the table counts the tokens, and which the numbers of one
WHOLE = what one id stands for: a whole row of the table
EACH = what comes back: a row for each token of the sentence

rows | starts-at-one | {FIRST}
    ids that are counted from 1 = table[token_ids - 1]
    ids that are counted from 1 =
        np.concatenate([0 * table[:1], table])[token_ids]
    taking the row after the one that is meant = table[1:][token_ids]

rows | column-instead-of-row | {ROWS}
    taking columns of the table = table[:, token_ids]
    taking columns of the table = table.T[token_ids]
    taking columns of the table, and turning them = table[:, token_ids].T

rows | rows-columns-swapped | the order of the axes: those of the ids come first, the
        numbers of a row last
    putting the numbers of a row first = np.moveaxis(table[token_ids], -1, 0)

rows | rows-columns-swapped | where a reshape puts the numbers: it fills the new shape
        in
        reading order
    a reshape to (d_model, n), and then a transpose =
        table[token_ids].reshape(table.shape[1], -1).T.reshape(*token_ids.shape, -1)

rows | ids-numbered-anew | what picks the row: the id itself, whatever other ids there
        are
    taking an id's rank among those that occur =
        table[np.searchsorted(np.unique(token_ids), token_ids)]

rows | position-instead-of-id | what picks the row: a token's id, wherever the token
        stands
    taking row 0 for the first token, row 1 for the second =
        table[np.broadcast_to(np.arange(token_ids.shape[-1]), token_ids.shape)]

rows | numbers-instead-of-rows | {WHOLE}
    taking one number for each id = np.take(table, token_ids)

rows | one-hot-instead-of-row | what is still to be done with a one-hot row
    stopping at the one-hot rows =
        (token_ids[..., None] == np.arange(len(table))) * 1.0

rows | ids-multiplied | what an id is: a name, not an amount
    multiplying the ids themselves = token_ids @ table
    multiplying the first row by the ids = token_ids[..., None] * table[0]

rows | rows-added-up | {EACH}
    adding up the rows = table[token_ids].sum(axis=-2)
    the mean of the rows = table[token_ids].mean(axis=-2)
    adding up the rows of all sentences =
        table[token_ids].sum(axis=tuple(range(token_ids.ndim)))
    the mean of the rows of all sentences =
        table[token_ids].mean(axis=tuple(range(token_ids.ndim)))

rows | one-token-only | {EACH}
    taking the row of the first token alone = table[token_ids[..., 0]]
    taking the row of the last token alone = table[token_ids[..., -1]]

rows | first-text-only | what comes back: a row for each token of every sentence
    taking the row of the very first token alone = table[token_ids.flat[0]]

rows | columns-lost | {WHOLE}
    leaving out the last number of each row = table[token_ids, :-1]
    leaving out the first number of each row = table[token_ids, 1:]

rows | ids-sorted | the order: the rows come as the tokens stand in the sentence
    sorting the ids = table[np.sort(token_ids, axis=-1)]

rows | row-left-out | {EACH}
    zeros for id 0, as a row for padding would have it =
        np.where(token_ids[..., None] == 0, 0.0, table[token_ids])
    never taking the last row of the table =
        table[np.minimum(token_ids, len(table) - 2)]

rows | repeats-dropped | {EACH}
    using each id once = table[np.unique(token_ids)]
"""

EXERCISE = exercise(
    globals(),
    lambda token_ids, table: Embedding(table)(token_ids),
    RECIPE,
    returns=("rows",),
)
