"""Recall of stored values: softmax against states of a fixed size.

Pairs of a random key and a random value, `D` numbers each, are written one after
another; then each key asks for its value.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from attncourse.toys.training import as_lines, interval
from attnlib import scaled_dot_product_attention

PATH = Path(__file__).with_name("recall.json")
D, DRAWS = 32, 100
PAIRS = (4, 8, 16, 32, 64, 128, 256)


def by_softmax(key, value, asks):
    """Answer by softmax attention, which keeps every key and every value."""
    return scaled_dot_product_attention(asks, key, value, scale=1.0)


def by_sum(key, value, asks):
    """Answer from a sum: the state is Σ kᵀ v, (d_k, d_v)."""
    return asks @ (key.T @ value)


def by_sum_of_relu(key, value, asks):
    """Answer from the sum with relu applied to keys and queries, as `by_sum`."""
    return by_sum(np.maximum(key, 0), value, np.maximum(asks, 0))


def by_delta_rule(key, value, asks):
    """Answer from a state that overwrites: it writes v less what it answered before.

    References
    ----------
    Schlag et al. (2021), equation 24, with β = 1 and keys of length 1.
    """
    unit = key / np.linalg.norm(key, axis=-1, keepdims=True)
    state = np.zeros((key.shape[-1], value.shape[-1]))
    for k, v in zip(unit, value, strict=True):
        state += np.outer(k, v - k @ state)
    return asks @ state


RULES = {
    "softmax": by_softmax,
    "sum": by_sum,
    "sum, relu": by_sum_of_relu,
    "delta rule": by_delta_rule,
}


def came_back(answers, value, wanted):
    """Return the share of answers that resemble the wanted value most of all."""
    unit = value / np.linalg.norm(value, axis=-1, keepdims=True)
    return (np.argmax(answers @ unit.T, axis=-1) == wanted).mean()


def measure(n_pairs, *, twice=False, draws=DRAWS, seed=14):
    """Return the mean share that comes back by each rule, and half its 95% interval.

    Parameters
    ----------
    n_pairs : int
    twice : bool
        Whether each key is written a second time, with a new value: then the newest
        value is wanted.
    draws, seed : int

    Returns
    -------
    dict of str to list of two float
    """
    rng, found = np.random.default_rng(seed), []
    for _ in range(draws):
        asks = rng.standard_normal((n_pairs, D))
        times = 2 if twice else 1
        value = rng.standard_normal((times * n_pairs, D))
        key = np.tile(asks, (times, 1))
        wanted = np.arange(n_pairs) + (times - 1) * n_pairs
        found.append(
            [came_back(f(key, value, asks), value, wanted) for f in RULES.values()]
        )
    means, halves = interval(found)
    both = zip(means.round(4).tolist(), halves.round(4).tolist(), strict=True)
    return {name: list(one) for name, one in zip(RULES, both, strict=True)}


@cache
def load():
    """Read what `python -m attncourse.toys.recall` stored."""
    return json.loads(PATH.read_text())


def store():
    """Measure all of it, in about a minute, and write it beside this file."""
    found = {
        name: {str(n): measure(n, twice=twice) for n in PAIRS}
        for name, twice in (("once", False), ("twice", True))
    }
    PATH.write_text(as_lines(found))


if __name__ == "__main__":
    store()
