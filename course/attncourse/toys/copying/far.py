"""Copying beyond the trained length, by layers that are told positions otherwise.

After a change of the model or of its training, run
``python -m attncourse.toys.copying.far``: it stores the numbers, in a few minutes.
"""

import json
from pathlib import Path

import numpy as np

from attncourse.toys.training import Adam, as_lines, interval
from attnlib import rotary_embedding

from .model import LENGTH, N_SYMBOLS, PROJECTIONS, RUNS, Copier

STEPS, N_SEEDS, CHUNK = 300, 10, 8
# For each layer: whether it turns queries and keys, and how wide its chunks are.
KINDS = {
    "all RoPE": ((True, None), (True, None)),
    "iRoPE": ((True, CHUNK), (False, None)),
    "chunks, RoPE": ((True, CHUNK), (True, None)),
}
# What is read: symbols of a text, and of its run, least and most.
READ = ((LENGTH, RUNS), (8 * LENGTH, RUNS), (8 * LENGTH, (15, 20)))
STORED = Path(__file__).with_suffix(".json")


class Layered(Copier):
    """Two layers of which each may turn queries and keys, and may see its chunk alone.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    seed : int
    """

    def __init__(self, kind, seed=0, **how):
        super().__init__(seed=seed, positions=False, **how)
        self.kind = KINDS[kind]

    def _inputs(self, normal):
        return dict.fromkeys(PROJECTIONS, normal)

    def _turn(self, split, layer, by=1):
        if not self.kind[layer][0]:
            return split
        query, key, value = split
        places = by * np.arange(query.shape[-2])
        turned = (rotary_embedding(x, positions=places) for x in (query, key))
        return [*turned, value]

    def _allowed(self, layer, x):
        if not (width := self.kind[layer][1]):
            return self.options
        n = x.shape[-2]
        chunk = np.arange(n) // width
        return {"mask": np.tri(n, dtype=bool) & (chunk[:, None] == chunk)}


def write_runs(n_rows, length, rng, runs=RUNS):
    """Draw texts that repeat a run of symbols, in which no symbol comes twice.

    Returns
    -------
    texts : array of int, (n_rows, length)
    runs : array of int, (n_rows,)
    """
    symbols = rng.permuted(np.tile(np.arange(N_SYMBOLS), (n_rows, 1)), axis=1)
    drawn = rng.integers(runs[0], runs[1] + 1, size=n_rows)
    return np.take_along_axis(symbols, np.arange(length) % drawn[:, None], 1), drawn


def share_right(model, length, runs=RUNS, n_rows=100, seed=1000):
    """Return the share of the last twelve symbols of new texts that is right."""
    texts, _ = write_runs(n_rows, length, np.random.default_rng(seed), runs)
    said = model(texts[:, :-1]).argmax(axis=-1)
    return float((said == texts[:, 1:])[:, -12:].mean())


def measure(kind, seed):
    """Train on texts of `LENGTH` symbols; return the shares right on `READ`."""
    model, rng = Layered(kind, seed), np.random.default_rng(seed)
    adam = Adam(model.params, 0.005)
    for _ in range(STEPS):
        adam.step(model.loss_and_gradients(write_runs(32, LENGTH, rng)[0])[1])
    return [share_right(model, *what) for what in READ]


def shares(kind):
    """Return the stored shares, with a 95% interval over seeds.

    Returns
    -------
    means, halves : array, one for each of `READ`
    """
    return interval(json.loads(STORED.read_text(encoding="utf-8"))[kind])


def main():
    """Train all, and store what they reach."""
    found = {kind: [measure(kind, seed) for seed in range(N_SEEDS)] for kind in KINDS}
    STORED.write_text(as_lines(found), encoding="utf-8")


if __name__ == "__main__":
    main()
