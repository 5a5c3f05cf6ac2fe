"""Softmax, and what is written in its place: weights that are not shares of 1."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.exercise import Mistake, Step, mistake

LARGEST = "what has to happen to large scores before the exponential"
AXIS = "the axis of the sum: the weights of one row add up to 1"


def stable(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Softmax as a right answer has it."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def plain(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Softmax that overflows."""
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


def summed(x: np.ndarray, axis: int | tuple[int, ...] | None) -> np.ndarray:
    """Subtract the largest of each row, but sum along another axis."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def all_of(x: np.ndarray, axis: tuple[int, ...] | None = None) -> np.ndarray:
    """Weights that add up to 1 only all together."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def too_soon(**steps: Step) -> Mistake:
    """Write down a softmax on top of what is asked; name the step and what it gives."""
    ((step, right),) = steps.items()
    return mistake(
        "softmax-too-soon",
        "a softmax on top of it",
        "what is asked: softmax is a step of its own, and not this one",
        **{step: lambda s: stable(right(s))},
    )


def _forgetful(
    x: np.ndarray, *, largest: bool | None, total: bool, axis: int = -1
) -> np.ndarray:
    """Lose the axis of the row maxima, of the row sums, or of both."""
    if largest is not None:
        x = x - x.max(axis=axis, keepdims=largest)
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=total)


FORGETFUL = {
    "row sums that have lost their axis and so divide the columns": (
        {"largest": True, "total": False},
        {"largest": None, "total": False},
    ),
    "row maxima that have lost their axis and so belong to the columns": (
        {"largest": False, "total": True},
    ),
    "row maxima and row sums that have lost their axis": (
        {"largest": False, "total": False},
    ),
}


def _holes_filled(x: np.ndarray) -> np.ndarray:
    return np.nan_to_num(plain(x))


AXES = (0, 1, -2, -3)
# What may stand in place of softmax, here and in the exercises on attention.
WAYS: tuple[tuple[str, str, str, object], ...] = (
    *(
        ("wrong-axis", f"making weights add up to 1 along axis {a}", AXIS, f)
        for a in AXES
        for f in (
            lambda x, a=a: stable(x, a),
            lambda x, a=a: summed(x, a),
        )
    ),
    *(
        ("normalised-over-everything", "one sum over several rows", AXIS, f)
        for f in (
            all_of,
            lambda x: all_of(x, (-2, -1)),
            lambda x: summed(x, None),
            lambda x: summed(x, (-2, -1)),
        )
    ),
    *(
        ("not-normalised", cause, "what the weights of one row add up to", f)
        for cause, f in (
            ("exponentials that are not divided by their sum", np.exp),
            (
                "exponentials that are not divided by their sum",
                lambda x: np.exp(x - x.max(axis=-1, keepdims=True)),
            ),
            ("each score squeezed by itself", lambda x: 1 / (1 + np.exp(-x))),
        )
    ),
    *(
        (
            "keepdims-forgotten",
            cause,
            "the shape of what you subtract or divide by: (n, 1) belongs to rows, (n,) "
            "to columns"
            if "maxima" in cause
            else "the shape of what you divide by: (n, 1) divides rows, (n,) columns",
            lambda x, how=how, axis=axis: _forgetful(x, **how, axis=axis),
        )
        for cause, ways in FORGETFUL.items()
        for how in ways
        for axis in (-1, 1)
    ),
    (
        "softmax-twice",
        "softmax on top of softmax",
        "how often softmax is applied: once to each row of scores",
        lambda x: stable(stable(x)),
    ),
    ("overflow", "replacing what has overflowed", LARGEST, _holes_filled),
    (
        "sign-flipped",
        "a minus before the scores",
        "the sign: the largest score gets the largest weight",
        lambda x: stable(-x),
    ),
    (
        "no-exponential",
        "dividing the scores themselves by their sum",
        "what is done to a score first: weights are positive, scores need not be",
        lambda x: x / x.sum(axis=-1, keepdims=True),
    ),
    (
        "no-exponential",
        "dividing the sizes of the scores by their sum",
        "what is done to a score first: the exponential keeps their order",
        lambda x: np.abs(x) / np.abs(x).sum(axis=-1, keepdims=True),
    ),
    (
        "no-exponential",
        "cutting scores off at 0 and dividing by their sum",
        "what is done to a score first: every score gets a share",
        lambda x: np.maximum(x, 0) / np.maximum(x, 0).sum(axis=-1, keepdims=True),
    ),
    (
        "base-two",
        "powers of 2",
        "the base of the powers",
        lambda x: stable(x * np.log(2)),
    ),
)


# With −∞ among the scores these give NaN, and no number to tell them by.
WITH_MASK = ("sign-flipped", "no-exponential")


def in_place_of(step: str, takes: str, without: tuple[str, ...] = ()) -> tuple:
    """Make the mistakes above, without some, for a recipe where softmax is one step."""

    def replaced(way) -> Step:
        return lambda s: way(getattr(s, takes))

    return tuple(
        mistake(code, cause, look, **{step: replaced(way)})
        for code, cause, look, way in WAYS
        if code not in without
    )
