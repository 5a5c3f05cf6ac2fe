"""Train the writer with each bug that changes its training, and store what one sees.

Fifteen trainings: some minutes on two cores. Run it after a change of the writer, its
training, or `attncourse.debugging`:

    python tools/debugging.py
"""

import json
from multiprocessing import Pool

from attncourse.debugging.bugs import BUGS
from attncourse.debugging.checks import said
from attncourse.debugging.measure import CASES, SEEDS, STORED, measure
from attncourse.toys.writer.training import trained

TRAINED = ["none", *(name for name, bug in BUGS.items() if bug.is_trained)]


def run(task):
    """Train with the steps of a bug, from a seed; return weights and losses."""
    name, seed = task
    return trained(seed=seed, steps=CASES[name].training)


def main():
    """Train, measure every bug with every seed, ask, and store."""
    tasks = [(name, seed) for name in TRAINED for seed in SEEDS]
    with Pool(2) as pool:
        runs = dict(zip(tasks, pool.map(run, tasks, chunksize=1), strict=True))
    seen = {
        name: [
            measure(bug, *runs[name if bug.is_trained else "none", seed])
            for seed in SEEDS
        ]
        for name, bug in CASES.items()
    }
    heard = {name: said(bug) for name, bug in BUGS.items()}
    lines = ",\n ".join(
        f"{json.dumps(n)}: {json.dumps(found)}" for n, found in seen.items()
    )
    text = f'{{"said": {json.dumps(heard)},\n"seen": {{\n {lines}}}}}\n'
    STORED.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
