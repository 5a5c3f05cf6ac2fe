"""Inputs that tell a pair of functions apart, and those that do not.

A probe is a function of a random generator that returns query, key and value:
(batch, heads, n, d).
"""

import numpy as np

N, D, N_HEADS = 6, 8, 2


def one_head(rng):
    """Draw ordinary numbers: one sentence, one head, as many queries as keys."""
    return rng.standard_normal((3, 1, 1, N, D))


def ordinary(rng):
    """Draw ordinary numbers: three sentences, two heads, as many queries as keys."""
    return rng.standard_normal((3, 3, N_HEADS, N, D))


def queries_of_zero(rng):
    """Let queries be 0 and values the identity: the output shows the mask."""
    query, key, _ = ordinary(rng)
    return 0 * query, key, _identity(N)


def fewer_queries(rng):
    """Draw two queries at the end of six keys."""
    query, key, value = ordinary(rng)
    return query[..., -2:, :], key, value


def large_scores(rng):
    """Draw scores of about −300, spread over a few units."""
    query, key, value = ordinary(rng)
    away = 300 * np.sqrt(D)
    query[..., 0], key[..., 0] = 1.0, -away
    return query, key, value


def _identity(n):
    return np.broadcast_to(np.eye(n), (3, N_HEADS, n, n)).copy()


PROBES = {
    "one sentence, one head": one_head,
    "batch and heads": ordinary,
    "query 0, value identity": queries_of_zero,
    "fewer queries than keys": fewer_queries,
    "scores of −300": large_scores,
}


def tells_apart(probe, bug, rng, *, tolerance=1e-6, **options):
    """Return whether a probe makes the shipped function differ from what was meant.

    Parameters
    ----------
    probe : callable
    bug : Bug
    rng : numpy.random.Generator
    tolerance : float
        How far numbers may differ and still count as the same.
    **options
        Keywords for the shipped function.
    """
    inputs = probe(rng)
    meant = bug.meant(*inputs)
    try:
        shipped = bug.shipped(*inputs, **options)
    except ValueError:  # it crashes where it should not: one notices
        return True
    return not np.allclose(meant, shipped, rtol=0, atol=tolerance)
