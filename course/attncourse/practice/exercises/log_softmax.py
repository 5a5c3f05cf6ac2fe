"""log_softmax: logarithms of weights, finite where the weights themselves are 0."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.exercise import Exercise
from attncourse.practice.exercises.softmax import draw
from attncourse.practice.mistakes.normalization import AXES, AXIS
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.tables import mistakes_in
from attncourse.practice.mistakes.underflow import floor, log_of_zero


def log_softmax(x: np.ndarray, axis: int | tuple[int, ...] | None = -1) -> np.ndarray:
    """Compute the logarithm of softmax: xᵢ − log Σⱼ exp(xⱼ)."""
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def _shifted(x: np.ndarray) -> np.ndarray:
    return x - x.max(axis=-1, keepdims=True)


def _log_total(x: np.ndarray, axis: int = -1) -> np.ndarray:
    return x - log_softmax(x, axis)


def _plain_sum(x: np.ndarray) -> np.ndarray:
    return x - np.exp(x).sum(axis=-1, keepdims=True)


def _keepdims_forgotten(x: np.ndarray) -> np.ndarray:
    return x - _log_total(x)[..., 0]


def _largest_left_in(x: np.ndarray) -> np.ndarray:
    return x - _log_total(_shifted(x))


def _no_exponential(x: np.ndarray) -> np.ndarray:
    return x - np.log(x.sum(axis=-1, keepdims=True))


def _log_of_plain_shares(x: np.ndarray) -> np.ndarray:
    return np.log(x / x.sum(axis=-1, keepdims=True))


SUM = "what is subtracted from a score: it comes from all the scores of its row"
LOGS = {
    "wrong-axis": (
        AXIS,
        *(
            (f"weights that add up to 1 along axis {a}", f)
            for a in AXES
            for f in (
                lambda x, a=a: log_softmax(x, a),
                lambda x, a=a: log_softmax(_shifted(x), a),
            )
        ),
    ),
    "normalised-over-everything": (
        AXIS,
        *(
            ("one sum over several rows", f)
            for axes in (None, (-2, -1))
            for f in (
                lambda x, axes=axes: log_softmax(x, axes),
                lambda x, axes=axes: log_softmax(_shifted(x), axes),
            )
        ),
    ),
    "not-normalised": (
        SUM,
        ("scores left as they are", lambda x: x),
        ("subtracting the largest score and nothing else", _shifted),
    ),
    "sum-without-log": (
        "the logarithm of a fraction: what becomes of the sum below the line",
        ("subtracting the sum itself", _plain_sum),
        ("subtracting the sum itself", lambda x: _plain_sum(_shifted(x))),
    ),
    "no-exponential": (
        "what is added up: exponentials, not the scores",
        ("a sum of the scores themselves", _no_exponential),
        ("shares of the scores themselves", _log_of_plain_shares),
    ),
    "largest-left-in": (
        "the score outside of the exponential: is the largest subtracted there too?",
        ("subtracting the largest score in one place only", _largest_left_in),
        (
            "subtracting the largest score twice outside of the exponential",
            lambda x: log_softmax(x) - x.max(axis=-1, keepdims=True),
        ),
    ),
    "sum-added": (
        "the logarithm of a fraction: what becomes of the sum below the line",
        ("adding the logarithm of the sum", lambda x: x + _log_total(x)),
        (
            "adding the logarithm of the sum",
            lambda x: _shifted(x) + _log_total(_shifted(x)),
        ),
    ),
    "divided-by-the-logarithm": (
        "the logarithm of a fraction: it is a difference",
        ("dividing by the logarithm of the sum", lambda x: x / _log_total(x)),
        (
            "dividing by the logarithm of the sum",
            lambda x: _shifted(x) / _log_total(_shifted(x)),
        ),
    ),
    "mean-instead-of-sum": (
        "what is below the line: the sum of all exponentials",
        (
            "the mean of the exponentials",
            lambda x: log_softmax(x) + np.log(x.shape[-1]),
        ),
    ),
    "sum-of-logarithms": (
        "the order: the exponentials are added up, and then comes the logarithm",
        ("subtracting the sum of the scores", lambda x: x - x.sum(-1, keepdims=True)),
        (
            "subtracting the sum of the scores, each less the largest",
            lambda x: _shifted(x) - _shifted(x).sum(axis=-1, keepdims=True),
        ),
    ),
    "one-added": (
        "what the logarithm is taken of: the share itself",
        (
            "adding 1 to a share before the logarithm, as np.log1p does",
            lambda x: np.log1p(np.exp(log_softmax(x))),
        ),
        (
            "adding 1 to the sum before the logarithm",
            lambda x: x - np.log1p(np.exp(x).sum(axis=-1, keepdims=True)),
        ),
    ),
    "other-base": (
        "the base of the logarithm: it has to undo exp",
        *(
            (
                f"a logarithm of base {base} of the sum alone",
                lambda x, base=base, y=y: y(x) - _log_total(y(x)) / np.log(base),
            )
            for base in (2, 10)
            for y in (lambda x: x, _shifted)
        ),
    ),
    "softmax-twice": (
        "how often softmax is applied: once to each row of scores",
        ("softmax on top of softmax", lambda x: log_softmax(np.exp(log_softmax(x)))),
    ),
    "keepdims-forgotten": (
        "the shape of the sums: (n, 1) belongs to rows, (n,) to columns",
        ("row sums that have lost their axis", _keepdims_forgotten),
        (
            "row sums that have lost their axis",
            lambda x: _keepdims_forgotten(_shifted(x)),
        ),
    ),
}
ENDS = {
    "softmax-without-log": (
        "the last step: the logarithm of a share is never above 0",
        ("stopping at the weights", np.exp),
    ),
    "sign-flipped": (
        "the sign: the logarithm of a share is never above 0",
        ("a minus before the logarithm", lambda x: -x),
    ),
    "other-base": (
        "the base of the logarithm: it has to undo exp",
        ("a logarithm of base 2", lambda x: x / np.log(2)),
        ("a logarithm of base 10", lambda x: x / np.log(10)),
    ),
}
MISTAKES = (
    *mistakes_in("logs", LOGS, lambda way: lambda s: way(s.x)),
    *mistakes_in("output", ENDS, lambda way: lambda s: way(s.logs)),
)

EXERCISES = (
    Exercise(
        "log_softmax",
        log_softmax,
        draw,
        {"logs": lambda s: log_softmax(s.x), "output": lambda s: s.logs},
        MISTAKES,
        signs=(log_of_zero, overflow, floor),
    ),
)
