"""cosine_similarity: how alike the directions of two vectors are."""

from __future__ import annotations

import numpy as np

from attnlib.scores import cosine_similarity
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise
from named_mistakes.report import Finding
from named_mistakes.table import read_beside

ZERO = "a zero vector"


def draw(rng: np.random.Generator) -> list[Case]:
    """Pairs of vectors, single and in rows."""
    n, d, batch = sizes(rng, 3)
    shapes = {
        "two vectors": (d,),
        "rows of vectors": (n, d),
        "as many rows as columns": (d, d),
        "a batch": (batch, n, d),
        "a batch of squares": CUBE,
        "two axes of batches": (2, batch, n, d),
    }
    cases = [
        case(label, a=normal(rng, *shape), b=normal(rng, *shape))
        for label, shape in shapes.items()
    ]
    a, b = normal(rng, n, d), normal(rng, n, d)
    a[1] = b[2] = 0
    return [*cases, case(ZERO, a=a, b=b)]


def _axis(x: np.ndarray, axis: int | None) -> int | None:
    """Leave a single vector its only axis."""
    return axis if axis is None or -x.ndim <= axis < x.ndim else -1


def _unit(x: np.ndarray, axis: int | None = -1, power: float = 1) -> np.ndarray:
    along = None if axis is None else _axis(x, axis)
    length = np.linalg.norm(x, axis=along, keepdims=True)
    return x / np.where(length == 0, 1, length) ** power


def _sum(s, axis: int | None = -1) -> np.ndarray:
    return np.sum(s.unit_a * s.unit_b, axis=_axis(s.a, axis))


def _lengths_of_columns(s):
    dot = np.sum(s.a * s.b, axis=-1)
    return dot / (np.linalg.norm(s.a, axis=0) * np.linalg.norm(s.b, axis=0))


def _over(s, join) -> np.ndarray:
    """Divide the dot product by something made of the two lengths."""
    a, b = (np.linalg.norm(x, axis=-1) for x in (s.a, s.b))
    return np.sum(s.a * s.b, axis=-1) / join(a, b)


def _added(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a + b


def _longer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.maximum(a, b)


def _sums_of_sizes(s) -> np.ndarray:
    a, b = (np.abs(x).sum(axis=-1) for x in (s.a, s.b))
    return np.sum(s.a * s.b, axis=-1) / np.where(a * b == 0, 1, a * b)


def _centered(x: np.ndarray) -> np.ndarray:
    return x - x.mean(axis=-1, keepdims=True)


def _cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return np.sum(a * b, axis=-1) / np.where(lengths == 0, 1, lengths)


COSINE = {
    "unit_a": lambda s: _unit(s.a),
    "unit_b": lambda s: _unit(s.b),
    "cosine": lambda s: _sum(s),
}
AXIS = "the axis of every sum: the numbers of one vector lie along the last"


def no_direction(exercise: Exercise, judged: list[Judged], named: list[str]):
    """Find what is wrong with the zero vector alone, and with the rows beside it."""
    for one in judged:
        if one.case.label != ZERO or not one.fits or one.right:
            continue
        a, b = (~one.case.inputs[name].any(axis=-1) for name in "ab")
        x, zero = one.got[0], a | b
        lost, wrong = ~np.isfinite(x), ~one.close(x, one.wanted[0])
        row = int((zero & wrong).argmax())
        name = "a" if a[row] else "b"
        seen = (
            f"For {one.case.described()}, where row {row} of {name} is all zeros, your "
        )
        if lost.any() and not np.any(lost & ~zero):
            yield Finding(
                "zero-vector",
                f"{seen}cosine is NaN. A zero vector has no direction and the length "
                "0: decide what to divide by there, so that the answer is 0.",
                about="zeros",
                explains=("nan",),
            )
        elif not all(j.right for j in judged if j is not one):
            return
        elif not np.any(wrong & ~zero):
            yield Finding(
                "zero-vector-not-zero",
                f"{seen}cosine is {x[row]:.4g}. A zero vector has no direction: look "
                "at what you give for it, where 0 is asked.",
            )
        elif not x.any():
            yield Finding(
                "one-row-for-all",
                f"{seen}cosine is 0 for every row. One zero vector says nothing about "
                "the other rows: decide for each row by itself, as np.where does.",
            )


MISTAKES = read_beside(__file__, globals(), COSINE)

EXERCISES = (
    Exercise(
        "cosine_similarity",
        cosine_similarity,
        draw,
        COSINE,
        MISTAKES,
        signs=(no_direction,),
    ),
)
