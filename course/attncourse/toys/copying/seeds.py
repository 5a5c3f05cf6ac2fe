"""After how many steps a training learns to copy, over seeds: stored, as it takes long.

`tools/copying_seeds.py` computes the numbers again, for attnlib here and for the page's
JavaScript in node.
"""

import json
from math import comb
from pathlib import Path
from time import process_time

import numpy as np

from attncourse.toys.copying import N_SYMBOLS, Copier, train, write_texts
from attncourse.toys.copying.measures import measure

STEPS, RECENT = 240, 5
HALF = float(np.log(N_SYMBOLS)) / 2
KINDS = {
    "two layers": {"n_layers": 2},
    "one layer": {"n_layers": 1},
    "two, no positions": {"n_layers": 2, "positions": False},
    "two, no scale": {"n_layers": 2, "scale": 1.0},
}
STORED = Path(__file__).with_suffix(".json")


def fall(seed, **kind):
    """Train a `Copier` up to its fall, or for `STEPS` steps.

    Returns
    -------
    step : int or None
        The first step at which the loss on repeated symbols, a mean over the last
        `RECENT` batches, each measured before it is learned from, is below half of
        log(N_SYMBOLS); None if there is none.
    seconds : float
        Processor time that the training took until then, without the measuring.
    """
    model, rng, losses = Copier(seed=seed, **kind), np.random.default_rng(seed), []
    seconds, start = 0.0, process_time()
    for step, _ in train(model, STEPS, seed=seed):
        seconds += process_time() - start
        # The same texts as `train` draws: its generator starts from the same seed.
        losses.append(measure(model, *write_texts(32, rng))[1])
        if np.mean(losses[-RECENT:]) < HALF:
            return step, seconds
        start = process_time()
    return None, seconds


def stored_falls():
    """Return the stored steps of the fall, None where there is none.

    Returns
    -------
    dict of str to dict of str to list of int or None
        For "numpy" and for "page", and for each of `KINDS`, one for each seed.
    """
    return _stored()["steps"]


def stored_seconds():
    """Return the seconds to the fall of two layers, on one core of one machine.

    Returns
    -------
    dict of str to list of float
        For "numpy" and for "page", one for each seed: processor time.
    """
    return _stored()["seconds"]


def _stored():
    return json.loads(STORED.read_text(encoding="utf-8"))


def interval(found, n):
    """Bound the share behind ``found`` of ``n`` (Clopper and Pearson 1934), at 95%.

    Returns
    -------
    low, high : float
        A share below ``low`` gives so many or more with a chance of at most 2.5%; one
        above ``high`` gives so few or fewer with that chance.
    """
    rest = (1 - 0.95) / 2
    low = 0.0 if found == 0 else _share(found, n, rest)
    high = 1.0 if found == n else 1 - _share(n - found, n, rest)
    return low, high


def _share(found, n, chance):
    """Find the share that gives ``found`` of ``n`` or more with a given chance."""
    low, high = 0.0, 1.0
    for _ in range(60):  # each time the two come half as close: to the last digit
        p = (low + high) / 2
        counts = range(found, n + 1)
        more = sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in counts)
        low, high = (p, high) if more < chance else (low, p)
    return low
