"""cosine_similarity: how alike the directions of two vectors are."""

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attnlib.scores import cosine_similarity
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise
from named_mistakes.report import Finding

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
    cases = drawn(rng, shapes, "a", "b")
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


def _over(s, join, power: int = 2) -> np.ndarray:
    """Divide the dot product by something made of the two lengths, or sums of sizes."""
    a, b = (np.linalg.norm(x, power, axis=-1) for x in (s.a, s.b))
    return np.sum(s.a * s.b, axis=-1) / join(a, b)


def _cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return np.sum(a * b, axis=-1) / np.where(lengths == 0, 1, lengths)


COSINE = {
    "unit_a": lambda s: _unit(s.a),
    "unit_b": lambda s: _unit(s.b),
    "cosine": lambda s: _sum(s),
}


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


TABLE = """
LENGTHS = the lengths that a dot product is divided by
AXIS = the axis of every sum: the numbers of one vector lie along the last
LENGTH = what the length of a vector is

not-normalized | {LENGTHS}
    a dot product that is not divided by any length = unit_a: a, unit_b: b
    a dot product divided by the length of a alone = unit_b: b
    a dot product divided by the length of b alone = unit_a: a

wrong-axis | {AXIS}
    for axis in 0, 1, -2, -3: summing along axis {axis} =
        unit_a: _unit(a, {axis}), unit_b: _unit(b, {axis}), cosine: _sum(s, {axis})
    summing everything =
        unit_a: _unit(a, None), unit_b: _unit(b, None), cosine: _sum(s, None)
    for axis in 0, 1, -2, -3: lengths taken along axis {axis} =
        unit_a: _unit(a, {axis}), unit_b: _unit(b, {axis})
    lengths taken over all the numbers = unit_a: _unit(a, None), unit_b: _unit(b, None)
    for axis in 0, 1, -2, -3, None: adding up along axis {axis} =
        cosine: _sum(s, {axis})
    the lengths of columns =
        cosine: np.sum(a * b, axis=-1)
            / (np.linalg.norm(a, axis=0) * np.linalg.norm(b, axis=0))

unit_a, unit_b | root-forgotten | {LENGTH}
    dividing by squared lengths = _unit(a, -1, 2), _unit(b, -1, 2)

other-length | {LENGTH}
    dividing by the roots of the lengths =
        unit_a: _unit(a, -1, 0.5), unit_b: _unit(b, -1, 0.5)
    dividing by the sum of the two lengths = cosine: _over(s, np.add)
    dividing by the longer of the two lengths = cosine: _over(s, np.maximum)
    adding up sizes where squares were expected =
        cosine: _over(s, lambda x, y: np.where(x * y == 0, 1, x * y), 1)
    dividing by the root of the sum of both squared lengths = cosine: _over(s, np.hypot)
    dividing by 1 where a length is below 1 =
        cosine: _over(s, lambda x, y: np.maximum(x, 1) * np.maximum(y, 1))

cosine | brackets-missing | the order in which Python reads / and *: what divides needs
        brackets
    dividing by the length of a and multiplying by that of b =
        _over(s, lambda x, y: np.where(x == 0, 1, x) / y)
    dividing by the length of b and multiplying by that of a =
        _over(s, lambda x, y: np.where(y == 0, 1, y) / x)

cosine | means-subtracted | what is asked: the vectors as they are
    subtracting its mean from each vector, which gives their correlation =
        _cosine(a - a.mean(axis=-1, keepdims=True), b - b.mean(axis=-1, keepdims=True))

cosine | angle-instead | the last step: what is asked is the cosine of the angle
    the angle itself = np.arccos(np.clip(_cosine(a, b), -1, 1))

cosine | epsilon-too-large | the number that guards against a division by 0: it changes
        every cosine
    for n in 1, 0.1, 0.01, 0.001: adding {n} to what is divided by =
        _over(s, lambda x, y: x * y + {n})

cosine | distance-instead | the last step: vectors that point the same way have
        similarity 1
    a distance = 1 - np.sum(unit_a * unit_b, axis=-1)

# Of a batch they differ; of a table they are one.
cosine | all-pairs | which rows belong together: the first with the first, and so on
    for products in unit_a @ (unit_b.mT if unit_b.ndim > 1 else unit_b),
        unit_a @ unit_b.T, np.dot(unit_a, unit_b.T):
        comparing every row of a with every row of b = {products}
    for products in a @ (b.mT if b.ndim > 1 else b), a @ b.T, np.dot(a, b.T):
        for axis in None, -1: comparing every row of a with every row of b =
        {products} / (np.linalg.norm(a, axis={axis}) * np.linalg.norm(b, axis={axis}))
    for products in a @ (b.mT if b.ndim > 1 else b), a @ b.T, np.dot(a, b.T):
        comparing every row of a with every row of b = {products}

cosine | distance-instead | what is asked: the angle counts, and not how far apart the
        ends are
    1 less the distance = 1 - np.linalg.norm(a - b, axis=-1)
    the distance = np.linalg.norm(a - b, axis=-1)
    a share that falls with the distance = 1 / (1 + np.linalg.norm(a - b, axis=-1))
"""

EXERCISE = exercise(globals(), cosine_similarity, COSINE, signs=(no_direction,))
