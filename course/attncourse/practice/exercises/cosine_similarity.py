"""cosine_similarity: how alike the directions of two vectors are."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Step, mistake
from attnlib.scores import cosine_similarity


def draw(rng: np.random.Generator) -> list[Case]:
    """Pairs of vectors, single and in rows."""
    n, d, batch = sizes(rng, 3)
    shapes = {
        "two vectors": (d,),
        "rows of vectors": (n, d),
        "as many rows as columns": (d, d),
        "a batch": (batch, n, d),
        "a batch of squares": CUBE,
    }
    return [
        case(label, a=normal(rng, *shape), b=normal(rng, *shape))
        for label, shape in shapes.items()
    ]


def _axis(x: np.ndarray, axis: int | None) -> int | None:
    """Leave a single vector its only axis."""
    return axis if axis is None or -x.ndim <= axis < x.ndim else -1


def _unit(name: str, axis: int | None = -1, power: int = 1) -> Step:
    def step(s):
        x = getattr(s, name)
        along = None if axis is None else _axis(x, axis)
        return x / np.linalg.norm(x, axis=along, keepdims=True) ** power

    return step


def _sum(axis: int | None = -1) -> Step:
    return lambda s: np.sum(s.unit_a * s.unit_b, axis=_axis(s.a, axis))


def _units(axis: int | None = -1, power: int = 1) -> dict[str, Step]:
    return {"unit_a": _unit("a", axis, power), "unit_b": _unit("b", axis, power)}


def _lengths_of_columns(s):
    dot = np.sum(s.a * s.b, axis=-1)
    return dot / (np.linalg.norm(s.a, axis=0) * np.linalg.norm(s.b, axis=0))


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
        "distance-instead",
        "a distance",
        "the last step: vectors that point the same way have similarity 1",
        cosine=lambda s: 1 - np.sum(s.unit_a * s.unit_b, axis=-1),
    ),
    mistake(
        "all-pairs",
        "comparing every row of a with every row of b",
        "which rows belong together: the first with the first, and so on",
        cosine=lambda s: s.unit_a @ (s.unit_b.mT if s.b.ndim > 1 else s.unit_b),
    ),
)

EXERCISES = (Exercise("cosine_similarity", cosine_similarity, draw, COSINE, MISTAKES),)
