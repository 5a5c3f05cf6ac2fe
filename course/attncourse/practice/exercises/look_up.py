"""look_up: each id is replaced by its row of the table."""

from __future__ import annotations

import numpy as np

from attnlib.embeddings import Embedding
from named_mistakes.cases import CUBE, case, normal
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside

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


def _reshaped(s) -> np.ndarray:
    rows = s.table[s.token_ids]
    turned = rows.reshape(rows.shape[-1], -1).T
    return turned.reshape(rows.shape)


def _ranks(token_ids: np.ndarray) -> np.ndarray:
    return np.searchsorted(np.unique(token_ids), token_ids)


RECIPE = {"rows": lambda s: s.table[s.token_ids]}
MISTAKES = read_beside(__file__, globals(), RECIPE)

EXERCISES = (
    Exercise(
        "look_up",
        lambda token_ids, table: Embedding(table)(token_ids),
        draw,
        RECIPE,
        MISTAKES,
        returns=("rows",),
    ),
)
