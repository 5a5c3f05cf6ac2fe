"""The gradients of a model in training, compared with differences of its loss."""

import numpy as np

STEP = 1e-5


def assert_slopes(params, gradients, loss, rng):
    """Move each parameter along its own gradient, and along a random direction.

    The loss has to change by what the gradient says.
    """
    assert gradients.keys() == params.keys()
    for name, grad in gradients.items():
        for way in (grad, rng.standard_normal(grad.shape)):
            along = way / (np.linalg.norm(way) or 1)
            expected, error = np.sum(grad * along), 1e-5 * np.linalg.norm(grad) + 1e-9
            assert abs(_slope(params, name, along, loss) - expected) < error, name


def _slope(params, name, along, loss):
    table, ends = params[name], []
    for step in (STEP, -STEP):
        params[name] = table + step * along
        ends.append(loss())
    params[name] = table
    return (ends[0] - ends[1]) / (2 * STEP)
