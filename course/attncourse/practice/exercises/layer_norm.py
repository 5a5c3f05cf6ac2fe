"""layer_norm: every row brought to mean 0 and variance 1."""

import numpy as np

from attncourse.practice.exercise import exercise
from attnlib.norms import layer_norm
from named_mistakes.cases import CUBE, case, normal, sizes
from named_mistakes.exercise import Case, Steps

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


NORM: Steps = {
    "mean": lambda s: s.x.mean(axis=-1, keepdims=True),
    "centered": lambda s: s.x - s.mean,
    "variance": lambda s: s.x.var(axis=-1, keepdims=True),
    "deviation": lambda s: np.sqrt(s.variance + EPS),
    "normal": lambda s: s.centered / s.deviation,
    "output": lambda s: s.gain * s.normal + s.bias,
}


TABLE = """
from attncourse.practice.mistakes.looks import normalized
from attncourse.practice.mistakes.normalization import stable

EPSILON = where the 1e-5 is added
SHAPE = the shape of mean and variance: (n, 1) belongs to rows, (n,) to columns
AXIS = the axis of the mean and of the variance: each row is normalized by itself
SPREAD = the variance: the mean of the squared distances from the mean
LAST = the last step: times gain, then plus bias

deviation | epsilon-outside-root | {EPSILON}
    adding ε to the root instead of to what is under it = np.sqrt(variance) + EPS

deviation | epsilon-missing | {EPSILON} | hides: other-epsilon
    a root with no ε under it = np.sqrt(variance)

deviation | other-epsilon | the size of ε: 1e-5 here
    for n in 0.1, 0.01, 0.001, 0.0001, 1e-06, 1e-07, 1e-08, 1e-09, 1e-10, 1e-12:
        an ε of {n} = np.sqrt(variance + {n})

keepdims-forgotten | {SHAPE}
    a mean and a variance that lost an axis and so belong to the columns =
        mean: x.mean(axis=-1), variance: x.var(axis=-1)
    a mean that lost an axis and so belong to the columns = mean: x.mean(axis=-1)
    a variance that lost an axis and so belong to the columns = variance: x.var(axis=-1)

mean | other-middle | what is subtracted: the mean of the row
    the median of the row = np.median(x, axis=-1, keepdims=True)
    the largest number of the row = x.max(axis=-1, keepdims=True)

wrong-axis | {AXIS}
    for axis in 0, 1, -2, -3:
        mean and variance along axis {axis} =
        mean: x.mean(axis={axis}, keepdims=True),
        variance: x.var(axis={axis}, keepdims=True)
    mean and variance along all the numbers =
        mean: x.mean(axis=None, keepdims=True),
        variance: x.var(axis=None, keepdims=True)
    mean and variance along both axes =
        mean: x.mean(axis=(-2, -1), keepdims=True),
        variance: x.var(axis=(-2, -1), keepdims=True)
    for axis in 0, 1, -2, -3: a variance along axis {axis} =
        variance: x.var(axis={axis}, keepdims=True)
    a variance along all the numbers = variance: x.var(axis=None, keepdims=True)
    a variance along both axes = variance: x.var(axis=(-2, -1), keepdims=True)
    for axis in 0, 1, -2, -3: a mean along axis {axis} =
        mean: x.mean(axis={axis}, keepdims=True)
    a mean along all the numbers = mean: x.mean(axis=None, keepdims=True)
    a mean along both axes = mean: x.mean(axis=(-2, -1), keepdims=True)

variance | unbiased-variance | what the sum of squares is divided by: all d of them
    a variance divided by d − 1 = x.var(axis=-1, keepdims=True, ddof=1)

deviation | variance-not-rooted | the step from the variance to the spread
    dividing by the variance = variance + EPS

variance | other-spread | {SPREAD}
    adding up the squares where their mean was expected =
        np.sum(centered**2, axis=-1, keepdims=True)
    squaring x itself where its distance from the mean was expected =
        np.mean(x**2, axis=-1, keepdims=True)
    the mean distance, which is not squared =
        np.mean(np.abs(centered), axis=-1, keepdims=True) ** 2
    the mean distance, and its root = np.mean(np.abs(centered), axis=-1, keepdims=True)
    a mean of distances that cancel = np.mean(centered, axis=-1, keepdims=True) ** 2
    the root of the deviation = np.sqrt(x.var(axis=-1, keepdims=True))
    the distance of the largest from the smallest =
        np.ptp(x, axis=-1, keepdims=True) ** 2

normal | deviation-ignored | what the distance from the mean is divided by
    rows that keep their spread = centered

normal | deviation-multiplied | what is done with the deviation: the rows are divided by
        it
    multiplying by the deviation = centered * deviation

centered, normal | mean-not-subtracted | the order of the steps: first the distance from
        the mean, then the division
    subtracting the mean after the division = x, x / deviation - mean

mean, variance | median-instead-of-mean | what is subtracted from a row: its mean
    a median in place of the mean =
        np.median(x, axis=-1, keepdims=True),
        np.mean(centered**2, axis=-1, keepdims=True)

normal | softmax-instead | what is asked: mean 0 and variance 1
    a softmax = stable(x)

centered | mean-not-subtracted | what is divided: the distance from the mean
    rows that keep their mean = x

centered, variance | mean-not-subtracted | what is divided, and what is squared: the
        distance from the mean
    rows that keep their mean and a variance around 0 =
        x, np.mean(x**2, axis=-1, keepdims=True)

output | gain-ignored | {LAST}
    leaving the gain out = normal + bias

output | bias-ignored | {LAST}
    leaving the bias out = gain * normal

output | gain-and-bias-ignored | {LAST}
    leaving gain and bias out = normal

output | bias-divided | {LAST}
    dividing the bias by the deviation too = gain * normal + bias / deviation

output | bias-multiplied | {LAST}
    multiplying by the bias = gain * normal * bias

output | brackets-missing | {LAST}
    dividing the mean alone by the deviation = gain * x - mean / deviation + bias
    multiplying x alone by the gain = (gain * x - mean) / deviation + bias

output | gain-added | {LAST}
    adding the gain = gain + normal + bias

output | gain-divides | {LAST}
    dividing by the gain = normal / gain + bias

output | bias-subtracted | {LAST}
    subtracting the bias = gain * normal - bias

output | gain-plus-one | {LAST}
    a gain of 1 more = (1 + gain) * normal + bias

output | gain-bias-swapped | {LAST}
    gain and bias in each other's place = bias * normal + gain

output | bias-before-gain | {LAST}
    adding the bias before the gain multiplies = gain * (normal + bias)

output | gain-before-norm | the last step: times gain, then plus bias
    gain and bias before the norm = normalized(gain * x + bias)
    the gain before the norm, and the bias after it = normalized(gain * x) + bias
"""

EXERCISE = exercise(globals(), layer_norm, NORM)
