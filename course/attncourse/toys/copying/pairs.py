"""Pairs of heads: the loss of copying without the two found, and without two others.

With four heads in each layer there are others to cut. After a change of the model or of
its training, ``python -m attncourse.toys.copying.pairs`` stores the numbers again.
"""

import json
from copy import copy
from itertools import product
from pathlib import Path

import numpy as np

from attncourse.toys.copying import Copier, train, write_texts
from attncourse.toys.copying.measures import looks, measure
from attncourse.toys.training import interval

N_HEADS, STEPS, SEEDS = 4, 240, range(12)
STORED = Path(__file__).with_suffix(".json")


def without_heads(model, pair):
    """Return the model without one head of each layer: what they add becomes 0.

    Parameters
    ----------
    model : Copier
    pair : sequence of int
        Counted from 0: the head of layer 0, that of layer 1, and so on.
    """
    without, d_k = copy(model), len(model.params["w_output_0"]) // model.n_heads
    without.params = dict(model.params)
    for layer, head in enumerate(pair):
        w_output = model.params[f"w_output_{layer}"].copy()
        w_output[head * d_k : (head + 1) * d_k] = 0
        without.params[f"w_output_{layer}"] = w_output
    return without


def found_pair(model, texts, runs):
    """Return the head of layer 0 that looks back most, and that of layer 1 that copies.

    As `toys.copying.measures.looks` counts it: where the largest weights lie.
    """
    before, after = looks(model, texts, runs)
    n = model.n_heads
    return int(np.argmax(before[:n])), int(np.argmax(after[n:]))


def measure_pairs(seed):
    """Train a model with four heads a layer and cut its heads in pairs.

    Returns
    -------
    dict
        The share of repeated symbols that are right, over 100 texts that it was not
        trained on: ``whole``, without the pair ``found``, and the mean of ``others``,
        all pairs that have neither of its heads.
    """
    model = Copier(n_heads=N_HEADS, seed=seed)
    for _ in train(model, STEPS, seed=seed):
        pass
    test = write_texts(100, np.random.default_rng(1000))
    found = found_pair(model, *test)
    left = [[i for i in range(N_HEADS) if i != head] for head in found]
    right = {
        "whole": measure(model, *test)[2],
        "found": measure(without_heads(model, found), *test)[2],
        "others": np.mean(
            [measure(without_heads(model, pair), *test)[2] for pair in product(*left)]
        ),
    }
    return {name: round(float(share), 3) for name, share in right.items()}


def stored_pairs():
    """Return what `measure_pairs` gives for each of 12 seeds: arrays of shape (12,)."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return {name: np.array([one[name] for one in stored]) for name in stored[0]}


def lost_without(heads):
    """Return how many in 100 fewer are right without "found" or "others", of 12 seeds.

    Returns
    -------
    mean, half : float
        mean ± half is a 95% confidence interval, by Student's t.
    """
    stored = stored_pairs()
    mean, half = interval(100 * (stored["whole"] - stored[heads]))
    return float(mean), float(half)


def store():
    """Train and measure a model from each seed, in a minute or two; store all."""
    lines = ",\n ".join(json.dumps(measure_pairs(seed)) for seed in SEEDS)
    STORED.write_text(f"[{lines}]\n", encoding="utf-8")


if __name__ == "__main__":
    store()
