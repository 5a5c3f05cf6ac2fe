"""Gradients without a derivative: move a number a little, and look what happens."""

import numpy as np

STEP = 1e-5


def by_differences(function, inputs, grad=1.0):
    """Find how fast Σ grad · function(*inputs) grows with each number of each input.

    Returns
    -------
    list of array, the shapes of the inputs; None for an input that is None
    """
    return [
        None if x is None else _each_number(function, inputs, i, grad)
        for i, x in enumerate(inputs)
    ]


def _each_number(function, inputs, i, grad):
    slopes = np.zeros_like(inputs[i])
    for place in np.ndindex(slopes.shape):
        direction = np.zeros_like(slopes)
        direction[place] = 1
        slopes[place] = along(function, inputs, i, direction, grad)
    return slopes


def along(function, inputs, i, direction, grad=1.0):
    """Find how fast it grows as input i moves along a direction."""
    ends = [
        function(*inputs[:i], inputs[i] + step * direction, *inputs[i + 1 :])
        for step in (STEP, -STEP)
    ]
    return np.sum(grad * (ends[0] - ends[1])) / (2 * STEP)


def relative_error(found, expected):
    """Divide how far off a gradient is by how long it is, or by 1 if it is zero."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    return float(np.linalg.norm(found - expected) / (np.linalg.norm(found) or 1))
