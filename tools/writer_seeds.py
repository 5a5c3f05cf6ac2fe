"""Train the writer from other seeds too, and store where each of them keeps its nouns.

A few minutes on two cores. Seed 0 is not trained again: it is the writer that
`make train` stores. Run it after a change of the writer or of its training:

    python tools/writer_seeds.py
"""

import json
import tempfile
from pathlib import Path

from attncourse.toys.writer.seeds import STORED, measure
from attncourse.toys.writer.stored import store, writer
from attncourse.toys.writer.training import train

SEEDS = range(1, 5)


def trained(seed, folder):
    """Train the writer from a seed, and round its weights as those of seed 0 are."""
    losses, params = [], {}
    for loss, current in train(seed=seed):
        losses.append(loss)
        params = current
    path = Path(folder) / f"seed_{seed}.npz"
    store(params, losses, path)
    return writer(path)


def main():
    """Measure seed 0, train the others, and store what is found."""
    found = [measure(writer())]
    with tempfile.TemporaryDirectory() as folder:
        for seed in SEEDS:
            found.append(measure(trained(seed, folder)))
            print(seed, found[-1], flush=True)
    lines = ",\n ".join(json.dumps(one) for one in found)
    STORED.write_text(f"[{lines}]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
