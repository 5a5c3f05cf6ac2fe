"""After how many steps a training learns to copy, over seeds: stored, as it takes long.

`tools/copying_seeds.py` computes the numbers again, for attnlib here and for the page's
JavaScript in node.
"""

import json
from pathlib import Path

import numpy as np

from attncourse.copying import N_SYMBOLS, Copier, train, write_texts
from attncourse.copying_measures import measure

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
    int or None
        The first step at which the loss on repeated symbols, a mean over the last
        `RECENT` batches, each measured before it is learned from, is below half of
        log(N_SYMBOLS); None if there is none.
    """
    model, rng, losses = Copier(seed=seed, **kind), np.random.default_rng(seed), []
    for step, _ in train(model, STEPS, seed=seed):
        # The same texts as `train` draws: its generator starts from the same seed.
        losses.append(measure(model, *write_texts(32, rng))[1])
        if np.mean(losses[-RECENT:]) < HALF:
            return step
    return None


def stored_falls():
    """Return the stored steps of the fall, None where there is none.

    Returns
    -------
    dict of str to dict of str to list of int or None
        For "numpy" and for "page", and for each of `KINDS`, one for each seed.
    """
    return json.loads(STORED.read_text(encoding="utf-8"))
