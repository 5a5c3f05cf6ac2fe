"""layer_norm: every row brought to mean 0 and variance 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attncourse.practice.engine.cases import CUBE, case, normal, sizes
from attncourse.practice.engine.exercise import Case, Exercise, Steps, mistake
from attncourse.practice.mistakes.normalization import stable
from attnlib.norms import layer_norm

EPS = 1e-5


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of ordinary, of tiny and of no variance."""
    n, d, batch = sizes(rng, 3)
    flat = np.full((n, d), 3.0)
    flat[0] = normal(rng, d)
    arrays = {
        "rows ≠ columns": 2 * normal(rng, n, d) + 1,
        "a square": normal(rng, n, n),
        "a batch": normal(rng, batch, n, d),
        "a batch of squares": normal(rng, *CUBE),
        "two axes of batches": normal(rng, 2, batch, n, d),
        "a single row": normal(rng, d),
        "rows of tiny variance": 1e-3 * normal(rng, n, d),
        "rows of equal numbers": flat,
    }
    return [_case(rng, label, x) for label, x in arrays.items()]


def _case(rng: np.random.Generator, label: str, x: np.ndarray) -> Case:
    d = x.shape[-1]
    return case(label, x=x, gain=1 + rng.random(d), bias=normal(rng, d))


def _mean(axis):
    return lambda s: s.x.mean(axis=axis, keepdims=True)


def _variance(axis=-1, **how):
    return lambda s: s.x.var(axis=axis, keepdims=True, **how)


NORM: Steps = {
    "mean": _mean(-1),
    "centred": lambda s: s.x - s.mean,
    "variance": _variance(),
    "deviation": lambda s: np.sqrt(s.variance + EPS),
    "normal": lambda s: s.centred / s.deviation,
    "output": lambda s: s.gain * s.normal + s.bias,
}

AXIS = "the axis of the mean and of the variance: each row is normalized by itself"
SPREAD = "the variance: the mean of the squared distances from the mean"
EPSILON = "where the 1e-5 is added"


def _where(axis: int | None) -> str:
    return (
        "all the numbers"
        if axis is None
        else f"axis {axis}"
        if isinstance(axis, int)
        else "both axes"
    )


FLAT_MEAN = {"mean": lambda s: s.x.mean(axis=-1)}
FLAT_VARIANCE = {"variance": lambda s: s.x.var(axis=-1)}
AXES = (0, 1, -2, -3, None, (-2, -1))
MISTAKES = (
    mistake(
        "epsilon-outside-root",
        "adding ε to the root instead of to what is under it",
        EPSILON,
        deviation=lambda s: np.sqrt(s.variance) + EPS,
    ),
    replace(
        mistake(
            "epsilon-missing",
            "a root with no ε under it",
            EPSILON,
            deviation=lambda s: np.sqrt(s.variance),
        ),
        hides=("other-epsilon",),
    ),
    *(
        mistake(
            "other-epsilon",
            f"an ε of {eps:g}",
            "the size of ε: 1e-5 here",
            deviation=lambda s, eps=eps: np.sqrt(s.variance + eps),
        )
        for eps in (1e-3, 1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12)
    ),
    *(
        mistake(
            "keepdims-forgotten",
            f"{what} that lost an axis and so belong to the columns",
            "the shape of mean and variance: (n, 1) belongs to rows, (n,) to columns",
            **steps,
        )
        for what, steps in (
            ("a mean and a variance", {**FLAT_MEAN, **FLAT_VARIANCE}),
            ("a mean", FLAT_MEAN),
            ("a variance", FLAT_VARIANCE),
        )
    ),
    *(
        mistake(
            "wrong-axis",
            f"mean and variance along {_where(axis)}",
            AXIS,
            mean=_mean(axis),
            variance=_variance(axis),
        )
        for axis in AXES
    ),
    *(
        mistake(
            "wrong-axis",
            f"a variance along {_where(axis)}",
            AXIS,
            variance=_variance(axis),
        )
        for axis in AXES
    ),
    *(
        mistake("wrong-axis", f"a mean along {_where(axis)}", AXIS, mean=_mean(axis))
        for axis in AXES
    ),
    mistake(
        "unbiased-variance",
        "a variance divided by d − 1",
        "what the sum of squares is divided by: all d of them",
        variance=_variance(ddof=1),
    ),
    mistake(
        "variance-not-rooted",
        "dividing by the variance",
        "the step from the variance to the spread",
        deviation=lambda s: s.variance + EPS,
    ),
    *(
        mistake("other-spread", cause, SPREAD, variance=variance)
        for cause, variance in (
            (
                "adding up the squares where their mean was expected",
                lambda s: np.sum(s.centred**2, axis=-1, keepdims=True),
            ),
            (
                "squaring x itself where its distance from the mean was expected",
                lambda s: np.mean(s.x**2, axis=-1, keepdims=True),
            ),
            (
                "the mean distance, which is not squared",
                lambda s: np.mean(np.abs(s.centred), axis=-1, keepdims=True) ** 2,
            ),
            (
                "the mean distance, and its root",
                lambda s: np.mean(np.abs(s.centred), axis=-1, keepdims=True),
            ),
            (
                "a mean of distances that cancel",
                lambda s: np.mean(s.centred, axis=-1, keepdims=True) ** 2,
            ),
            ("the root of the deviation", lambda s: np.sqrt(_variance()(s))),
            (
                "the distance of the largest from the smallest",
                lambda s: np.ptp(s.x, axis=-1, keepdims=True) ** 2,
            ),
        )
    ),
    mistake(
        "deviation-ignored",
        "rows that keep their spread",
        "what the distance from the mean is divided by",
        normal=lambda s: s.centred,
    ),
    mistake(
        "deviation-multiplied",
        "multiplying by the deviation",
        "what is done with the deviation: the rows are divided by it",
        normal=lambda s: s.centred * s.deviation,
    ),
    mistake(
        "mean-not-subtracted",
        "subtracting the mean after the division",
        "the order of the steps: first the distance from the mean, then the division",
        centred=lambda s: s.x,
        normal=lambda s: s.x / s.deviation - s.mean,
    ),
    mistake(
        "median-instead-of-mean",
        "a median in place of the mean",
        "what is subtracted from a row: its mean",
        mean=lambda s: np.median(s.x, axis=-1, keepdims=True),
        variance=lambda s: np.mean(s.centred**2, axis=-1, keepdims=True),
    ),
    mistake(
        "softmax-instead",
        "a softmax",
        "what is asked: mean 0 and variance 1",
        normal=lambda s: stable(s.x),
    ),
    mistake(
        "mean-not-subtracted",
        "rows that keep their mean",
        "what is divided: the distance from the mean",
        centred=lambda s: s.x,
    ),
    mistake(
        "mean-not-subtracted",
        "rows that keep their mean and a variance around 0",
        "what is divided, and what is squared: the distance from the mean",
        centred=lambda s: s.x,
        variance=lambda s: np.mean(s.x**2, axis=-1, keepdims=True),
    ),
    *(
        mistake(code, cause, "the last step: times gain, then plus bias", output=output)
        for code, cause, output in (
            ("gain-ignored", "leaving the gain out", lambda s: s.normal + s.bias),
            ("bias-ignored", "leaving the bias out", lambda s: s.gain * s.normal),
            (
                "gain-and-bias-ignored",
                "leaving gain and bias out",
                lambda s: s.normal,
            ),
            (
                "bias-divided",
                "dividing the bias by the deviation too",
                lambda s: s.gain * s.normal + s.bias / s.deviation,
            ),
            (
                "bias-multiplied",
                "multiplying by the bias",
                lambda s: s.gain * s.normal * s.bias,
            ),
            (
                "brackets-missing",
                "dividing the mean alone by the deviation",
                lambda s: s.gain * s.x - s.mean / s.deviation + s.bias,
            ),
            (
                "brackets-missing",
                "multiplying x alone by the gain",
                lambda s: (s.gain * s.x - s.mean) / s.deviation + s.bias,
            ),
            (
                "gain-added",
                "adding the gain",
                lambda s: s.gain + s.normal + s.bias,
            ),
            (
                "gain-divides",
                "dividing by the gain",
                lambda s: s.normal / s.gain + s.bias,
            ),
            (
                "bias-subtracted",
                "subtracting the bias",
                lambda s: s.gain * s.normal - s.bias,
            ),
            (
                "gain-plus-one",
                "a gain of 1 more",
                lambda s: (1 + s.gain) * s.normal + s.bias,
            ),
            (
                "gain-bias-swapped",
                "gain and bias in each other's place",
                lambda s: s.bias * s.normal + s.gain,
            ),
            (
                "bias-before-gain",
                "adding the bias before the gain multiplies",
                lambda s: s.gain * (s.normal + s.bias),
            ),
        )
    ),
)

EXERCISES = (Exercise("layer_norm", layer_norm, draw, NORM, MISTAKES),)
