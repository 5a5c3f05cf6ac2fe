"""How near a mixture of three values can come to a place in the plane."""

import numpy as np


def nearest_mixture(values, wanted):
    """Return the weights of the mixture of three values that is nearest to a place.

    Parameters
    ----------
    values : array, (3, 2)
        Not all on one line.
    wanted : array, (2,)

    Returns
    -------
    array, (3,)
        Weights of at least 0 that sum to 1.
    """
    equations = np.vstack([np.transpose(values), np.ones(3)])
    weights = np.linalg.solve(equations, [*wanted, 1.0])
    if weights.min() >= 0:
        return weights
    on_edges = [_on_edge(values, wanted, i, (i + 1) % 3) for i in range(3)]
    return min(on_edges, key=lambda w: np.linalg.norm(w @ values - wanted))


def nearest_of_two(values, wanted):
    """Return the same for each column by itself, as two heads have it: (2, 3).

    A column is mixed from its largest number and its smallest, the last where several
    are as small.
    """
    weights = np.zeros((2, 3))
    for row, column, number in zip(weights, np.transpose(values), wanted, strict=True):
        high, low = column.argmax(), 2 - column[::-1].argmin()
        share = (number - column[low]) / (column[high] - column[low])
        row[high] = np.clip(share, 0, 1)
        row[low] = 1 - row[high]
    return weights


def _on_edge(values, wanted, i, j):
    along = values[j] - values[i]
    share = np.clip((wanted - values[i]) @ along / (along @ along), 0, 1)
    weights = np.zeros(3)
    weights[i], weights[j] = 1 - share, share
    return weights
