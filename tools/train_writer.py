"""Train the decoder that writes stories, and store its weights.

Run by `make train`. The same seed gives the same training, but for the rounding of
float32, which may differ from one machine to another. What is stored was computed with
instructions that every x86 of the last ten years has; there, this gives it to the last
byte:

    OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1 python tools/train_writer.py

With ``--seeds`` it is trained from other seeds, and stored is where each of them keeps
its nouns: a few minutes on two cores, after a change of the writer or of its training.
"""

import json
import sys
import tempfile
from pathlib import Path

from attncourse.toys.writer.floor import text_losses
from attncourse.toys.writer.seeds import STORED, measure
from attncourse.toys.writer.stored import FILE, store, writer
from attncourse.toys.writer.training import N_STEPS, held_out_texts, train, trained
from attnlib import cross_entropy

SEEDS = range(1, 5)


def main():
    """Train, store, and say how well it does on texts that were held out."""
    losses, last = [], {}
    for loss, params in train():
        if len(losses) % 100 == 0:
            print(f"step {len(losses)} of {N_STEPS}: loss {loss:.3f}", flush=True)
        losses.append(loss)
        last = params
    store(last, losses)
    test = held_out_texts()
    found = cross_entropy(writer()(test[:, :-1]), test[:, 1:]).mean()
    print(f"held out: loss {found:.4f}, floor {text_losses(test).mean():.4f}")
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


def writer_of(seed, folder):
    """Train the writer from a seed, and round its weights as those of seed 0 are."""
    path = Path(folder) / f"seed_{seed}.npz"
    store(*trained(seed=seed), path)
    return writer(path)


def measure_seeds():
    """Measure seed 0, train the others, and store what is found."""
    found = [measure(writer())]
    with tempfile.TemporaryDirectory() as folder:
        for seed in SEEDS:
            found.append(measure(writer_of(seed, folder)))
            print(seed, found[-1], flush=True)
    lines = ",\n ".join(json.dumps(one) for one in found)
    STORED.write_text(f"[{lines}]\n", encoding="utf-8")


if __name__ == "__main__":
    measure_seeds() if sys.argv[1:] == ["--seeds"] else main()
