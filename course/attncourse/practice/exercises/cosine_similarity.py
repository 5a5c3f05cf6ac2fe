"""cosine_similarity: how alike the directions of two vectors are."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, normal, sizes
from attncourse.practice.engine.compare import Judged
from attncourse.practice.engine.exercise import Case, Exercise, Step, mistake
from attncourse.practice.engine.report import Finding
from attnlib.scores import cosine_similarity

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
    a[1] = 0
    return [*cases, case(ZERO, a=a, b=b)]


def _axis(x: np.ndarray, axis: int | None) -> int | None:
    """Leave a single vector its only axis."""
    return axis if axis is None or -x.ndim <= axis < x.ndim else -1


def _unit(name: str, axis: int | None = -1, power: int = 1) -> Step:
    def step(s):
        x = getattr(s, name)
        along = None if axis is None else _axis(x, axis)
        length = np.linalg.norm(x, axis=along, keepdims=True)
        return x / np.where(length == 0, 1, length) ** power

    return step


def _sum(axis: int | None = -1) -> Step:
    return lambda s: np.sum(s.unit_a * s.unit_b, axis=_axis(s.a, axis))


def _units(axis: int | None = -1, power: int = 1) -> dict[str, Step]:
    return {"unit_a": _unit("a", axis, power), "unit_b": _unit("b", axis, power)}


# Of a batch they differ; of a table they are one.
PRODUCTS = (
    lambda a, b: a @ (b.mT if b.ndim > 1 else b),
    lambda a, b: a @ b.T,
    lambda a, b: np.dot(a, b.T),
)


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


def _centred(x: np.ndarray) -> np.ndarray:
    return x - x.mean(axis=-1, keepdims=True)


def _cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return np.sum(a * b, axis=-1) / np.where(lengths == 0, 1, lengths)


COSINE = {**_units(), "cosine": _sum()}
LENGTHS = "the lengths that a dot product is divided by"
AXIS = "the axis of every sum: the numbers of one vector lie along the last"

MISTAKES = (
    mistake(
        "not-normalised",
        "a dot product that is not divided by any length",
        LENGTHS,
        unit_a=lambda s: s.a,
        unit_b=lambda s: s.b,
    ),
    *(
        mistake(
            "not-normalised",
            f"a dot product divided by the length of {kept} alone",
            LENGTHS,
            **{f"unit_{left}": lambda s, left=left: getattr(s, left)},
        )
        for kept, left in (("a", "b"), ("b", "a"))
    ),
    *(
        mistake(
            "wrong-axis",
            f"summing along axis {axis}" if axis is not None else "summing everything",
            AXIS,
            **_units(axis),
            cosine=_sum(axis),
        )
        for axis in (0, 1, -2, -3, None)
    ),
    *(
        mistake(
            "wrong-axis",
            "lengths taken over all the numbers"
            if axis is None
            else f"lengths taken along axis {axis}",
            AXIS,
            **_units(axis),
        )
        for axis in (0, 1, -2, -3, None)
    ),
    *(
        mistake("wrong-axis", f"adding up along axis {axis}", AXIS, cosine=_sum(axis))
        for axis in (0, 1, -2, -3, None)
    ),
    mistake("wrong-axis", "the lengths of columns", AXIS, cosine=_lengths_of_columns),
    mistake(
        "root-forgotten",
        "dividing by squared lengths",
        "what the length of a vector is",
        **_units(power=2),
    ),
    mistake(
        "other-length",
        "dividing by the roots of the lengths",
        "what the length of a vector is",
        **_units(power=0.5),
    ),
    *(
        mistake("other-length", cause, "what the length of a vector is", cosine=step)
        for cause, step in (
            ("dividing by the sum of the two lengths", lambda s: _over(s, _added)),
            ("dividing by the longer of the two lengths", lambda s: _over(s, _longer)),
            ("adding up sizes where squares were expected", _sums_of_sizes),
        )
    ),
    *(
        mistake(
            "brackets-missing",
            f"dividing by the length of {one} and multiplying by that of {other}",
            "the order in which Python reads / and *: what divides needs brackets",
            cosine=step,
        )
        for one, other, step in (
            ("a", "b", lambda s: _over(s, lambda x, y: np.where(x == 0, 1, x) / y)),
            ("b", "a", lambda s: _over(s, lambda x, y: np.where(y == 0, 1, y) / x)),
        )
    ),
    mistake(
        "means-subtracted",
        "subtracting its mean from each vector, which gives their correlation",
        "what is asked: the vectors as they are",
        cosine=lambda s: _cosine(_centred(s.a), _centred(s.b)),
    ),
    mistake(
        "angle-instead",
        "the angle itself",
        "the last step: what is asked is the cosine of the angle",
        cosine=lambda s: np.arccos(np.clip(_cosine(s.a, s.b), -1, 1)),
    ),
    *(
        mistake(
            "epsilon-too-large",
            f"adding {eps:g} to what is divided by",
            "the number that guards against a division by 0: it changes every cosine",
            cosine=lambda s, eps=eps: _over(s, lambda x, y: x * y + eps),
        )
        for eps in (1.0, 0.1, 0.01, 0.001)
    ),
    mistake(
        "distance-instead",
        "a distance",
        "the last step: vectors that point the same way have similarity 1",
        cosine=lambda s: 1 - np.sum(s.unit_a * s.unit_b, axis=-1),
    ),
    *(
        mistake(
            "all-pairs",
            "comparing every row of a with every row of b",
            "which rows belong together: the first with the first, and so on",
            cosine=step,
        )
        for pairs in PRODUCTS
        for step in (
            lambda s, pairs=pairs: pairs(s.unit_a, s.unit_b),
            lambda s, pairs=pairs: (
                pairs(s.a, s.b) / np.linalg.norm(s.a) / np.linalg.norm(s.b)
            ),
            lambda s, pairs=pairs: (
                pairs(s.a, s.b)
                / (np.linalg.norm(s.a, axis=-1) * np.linalg.norm(s.b, axis=-1))
            ),
            lambda s, pairs=pairs: pairs(s.a, s.b),
        )
    ),
)


def no_direction(exercise: Exercise, judged: list[Judged], named: list[str]):
    """Find what is wrong with the zero vector alone, and with the rows beside it."""
    for one in judged:
        if one.case.label != ZERO or not one.fits or one.right:
            continue
        zero, x = ~one.case.inputs["a"].any(axis=-1), one.got[0]
        row = int(zero.argmax())
        seen = f"For {one.case.described()}, where row {row} of a is all zeros, your "
        if np.array_equal(~np.isfinite(x), zero):
            yield Finding(
                "zero-vector",
                f"{seen}cosine is NaN. A zero vector has no direction and the length "
                "0: decide what to divide by there, so that the answer is 0.",
            )
        elif not all(j.right for j in judged if j is not one):
            return
        elif np.array_equal(~one.close(x, one.wanted[0]), zero):
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
